import OpenWOFiles
import SystemPackage

/// The paths of one store: its database, its companion and its state folder.
struct StorePaths: Sendable, Hashable {
  /// The live file; its folder is resolved, its name is the user's.
  let database: FilePath
  /// This device's state folder, shared by all stores.
  let stateRoot: FilePath

  let folder: FilePath
  let companion, journal, writeAheadLog, sharedMemory: FilePath
  let manifest, devices, locks, versions: FilePath
  /// The link by which the database was named, if that is in another folder.
  var link: DatabaseLink?
  /// The caller's name for the database, if messages should use it.
  var given: DatabaseName?
  /// The database's folder as the caller named it; nil if they named a link elsewhere.
  var givenFolder: FilePath?

  init(database: FilePath, stateRoot: FilePath) {
    self.database = database
    self.stateRoot = stateRoot
    folder = database.removingLastComponent()
    // Appended to the name, whatever its bytes.
    let bytes = database.bytes
    func sibling(_ suffix: String) -> FilePath {
      FilePath(bytes: bytes + Array(suffix.utf8))
    }
    companion = sibling(".openwo")
    journal = sibling("-journal")
    writeAheadLog = sibling("-wal")
    sharedMemory = sibling("-shm")
    manifest = companion.appending("store.json")
    devices = companion.appending("devices")
    locks = companion.appending("locks")
    versions = companion.appending("versions")
  }

  var databaseName: FilePath.Component? { database.lastComponent }

  /// The companion and its folders; anybody who can write the synced folder may replace them by
  /// links.
  var ownFolders: [FilePath] { [companion, devices, locks, versions] }

  func device(_ id: String) -> FilePath { devices.appending("\(id).json") }
  func lock(_ id: String) -> FilePath { locks.appending("\(id).json") }

  /// The links in other folders by which this device has met its databases.
  var knownLinks: FilePath { stateRoot.appending("links.json") }
  var deviceIdentity: FilePath { stateRoot.appending("device.json") }
  /// The parts of the state folder, a store each.
  var stores: FilePath { stateRoot.appending("stores") }
  func state(of store: String) -> StatePaths {
    StatePaths(root: stores.appending(store))
  }
}

/// One store's part of the state folder; never synced.
struct StatePaths: Sendable, Hashable {
  let root: FilePath

  /// Held shared by every process that has the store open.
  var sessionLock: FilePath { root.appending("session.lock") }
  /// Held by the one process that writes or changes the record.
  var writerLock: FilePath { root.appending("writer.lock") }
  /// The baseline of the live file.
  var record: FilePath { root.appending("record") }
  /// A copy of `store.json`, from which that is put back if it is lost.
  var manifest: FilePath { root.appending("store.json") }
  /// A backup of what this device said once in its device file.
  var said: FilePath { root.appending("said.json") }
  /// A copy of `store.json` under an id that this state has had.
  func manifest(_ store: String) -> FilePath { root.appending("store-\(store).json") }
  /// The stores that this device has been told of that they were joined.
  var joined: FilePath { root.appending("joined.json") }
  /// Empty; there once another device has shown itself.
  var othersMet: FilePath { root.appending("others.met") }
  /// The secret by which this device knows its own journals.
  var journalKey: FilePath { root.appending("journal.key") }
  /// The file that may hold a mix of a write and of what a service wrote over it.
  var overwritten: FilePath { root.appending("overwritten") }
  /// The last heads of this device, and what they rest on.
  var heads: FilePath { root.appending("heads") }
  /// Which of these vanished from the folder; its time says since when.
  var vanished: FilePath { root.appending("vanished") }
  /// Versions captured and not yet published.
  var pending: FilePath { root.appending("pending") }
  /// Damaged files and journals, which cannot be versions.
  var quarantine: FilePath { root.appending("quarantine") }
  /// Where earlier openwos kept them.
  var aside: FilePath { root.appending("aside") }
  /// States that wait to become versions: the database with an unproven journal replayed, or
  /// without a journal or log that was replayed.
  ///
  /// If a journal was replayed, the name begins with the content that it led to.
  var unproven: FilePath { root.appending("unproven") }
  /// Private copies while they are looked at.
  var scratch: FilePath { root.appending("scratch") }
}

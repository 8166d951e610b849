import OpenWO
import OpenWOFiles
import SystemPackage

/// The file of this device.
extension Attaching {
  /// The copy of the synced data for times without the folder.
  var mirror: FilePath { local.named(local, "-offline") }

  /// Opens the file of this device; the first time it begins with what was last seen of the synced folder, else with the seeds.
  mutating func openLocal() throws -> SyncedDatabase {
    try files.makeDirectories(local.removingLastComponent())
    if try !exists(local), try exists(mirror), let origin = record.mirror {
      try note { $0.local = origin }
      try files.renameNew(mirror, to: local)
      try note { $0.mirror = nil }
    }
    try makeLocalStore()
    let store = try SyncedDatabase(at: local, configuration: configuration)
    try catchUp(store)
    return store
  }

  /// Makes a store of the file of this device, or a new one with the seeds.
  private mutating func makeLocalStore() throws {
    guard SyncedDatabase.storeID(at: local, files) == nil else { return }
    let isNew = try !exists(local)
    _ = try SyncedDatabase.initialize(at: local, create: isNew, configuration: configuration)
    guard isNew else { return }
    let content = try quietly(local) { try $0.liveVersion().content }
    try note { $0.local = AttachmentRecord.Origin(content: content) }
  }

  /// Updates an unchanged local file to the last seen state of the folder.
  private mutating func catchUp(_ store: SyncedDatabase) throws {
    guard let origin = record.local, let newer = record.mirror, try exists(mirror),
      origin.store == newer.store, origin.rowsOf != newer.content
    else { return }
    let live = try store.liveVersion()
    guard live.content == origin.content else { return }
    try store.merge(.file(mirror), MergeRequest(grewFrom: live.id))
    let content = try store.liveVersion().content
    try note {
      $0.local = AttachmentRecord.Origin(
        content: content, store: newer.store, version: newer.version, rowsOf: newer.content)
    }
  }

  /// Copies what is live in the synced folder to this device, for times without the folder.
  mutating func keepMirror(of store: SyncedDatabase, upTo limit: Int64 = .max) throws {
    let live = try store.liveVersion()
    let origin = AttachmentRecord.Origin(
      content: live.content, store: store.storeID, version: live.id, rowsOf: live.content)
    guard origin != record.mirror, live.bytes <= limit else { return }
    try files.makeDirectories(mirror.removingLastComponent())
    try store.export(live.id, to: mirror)
    try note { $0.mirror = origin }
  }

  /// The file of this device, into which other programs may be writing.
  var localFile: LocalFile {
    LocalFile(
      path: local, configuration: configuration,
      advice: Advice("end it; the next start of the app brings in the rest"))
  }

  /// A name that says that the file of this device is done with.
  var migrated: FilePath { local.named(local, ".migrated-\(now.compact)") }
}

extension FileSystem {
  /// Renames a database to a free name, its companion first: otherwise the companion would count as
  /// the store of the next file with that name.
  func renameWithCompanion(_ database: FilePath, to name: FilePath) throws(FileError) {
    let companion = database.named(database, ".openwo")
    if try statusIfPresent(companion) != nil {
      try renameNew(companion, to: name.named(name, ".openwo"))
    }
    try renameNew(database, to: name)
  }
}

extension FilePath {
  /// A sibling: another file's name with text behind it.
  func named(_ other: FilePath, _ suffix: String) -> FilePath {
    let name = (other.lastComponent?.bytes ?? []) + Array(suffix.utf8)
    let text = name.map { CInterop.PlatformChar(bitPattern: $0) } + [0]
    return removingLastComponent().appending(FilePath(platformString: text).components)
  }
}

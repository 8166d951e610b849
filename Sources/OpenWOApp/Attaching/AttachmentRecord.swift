import OpenWO
import OpenWOFiles
import SystemPackage

/// How the local file and the one in the synced folder are related; never synced.
struct AttachmentRecord: Sendable, Hashable, Codable {
  /// The state in which a file was last equal to a version.
  struct Origin: Sendable, Hashable, Codable {
    /// The file's content then.
    var content: ContentHash
    /// The store whose version it was; nil: the app's seeds.
    var store: String?
    /// The version.
    var version: VersionID?
    /// The content that has the same rows; nil if none was copied.
    var rowsOf: ContentHash?
  }

  /// The stores that this device has been attached to.
  var stores: [String] = []
  /// The store of the synced folder that was last open.
  var current: String?
  /// The content that is on its way into an empty folder.
  var beginning: ContentHash?
  /// The state that the local file began as; nil: the user's own data.
  var local: Origin?
  /// The state of the copy for times without the folder.
  var mirror: Origin?
  /// The states that local files of other stores began as, by store.
  var setAside: [String: Origin] = [:]
}

extension AttachmentRecord {
  /// Reads the record; an empty one when there is none.
  static func load(_ folder: FilePath, _ files: FileSystem) throws -> AttachmentRecord {
    try CompanionFile.read(
      AttachmentRecord.self, at: folder.appending("attachment.json"), files)
      ?? AttachmentRecord()
  }

  /// The ids of all stores that it speaks of.
  var known: Set<String> {
    Set(stores + [current, local?.store, mirror?.store].compactMap(\.self) + setAside.keys)
  }

  /// Replaces the ids of joined stores by the one that stayed.
  mutating func rename(_ former: Set<String>, to store: String) {
    func name(_ id: String) -> String { former.contains(id) ? store : id }
    stores = stores.reduce(into: []) { if !$0.contains(name($1)) { $0.append(name($1)) } }
    current = current.map(name)
    if let id = local?.store { local?.store = name(id) }
    if let id = mirror?.store { mirror?.store = name(id) }
    for id in former.sorted() {
      guard let origin = setAside.removeValue(forKey: id), setAside[store] == nil else { continue }
      setAside[store] = origin
    }
  }

  func save(_ folder: FilePath, _ files: FileSystem) throws {
    try files.makeDirectories(folder)
    try CompanionFile.write(self, to: folder.appending("attachment.json"), files)
  }
}

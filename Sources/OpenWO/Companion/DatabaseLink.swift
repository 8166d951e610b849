import OpenWOFiles
import SystemPackage

/// A symbolic link in another folder than the database that it leads to.
///
/// A service takes the link, or puts a file in its place, and never sees the companion, which is beside the database.
struct DatabaseLink: Sendable, Hashable {
  /// The link itself, its folder resolved.
  let path: FilePath
  /// The database that it leads to.
  let target: FilePath

  /// The link under a given path, if there is one and it leads out of its folder.
  init?(_ path: FilePath, leadsTo target: FilePath, _ files: FileSystem) {
    let given = path.removingLastComponent()
    guard let name = path.lastComponent,
      let status = try? files.lstat(path), status.kind == .symlink,
      let folder = try? files.realpath(given.isEmpty ? "." : given)
    else { return nil }
    guard folder != target.removingLastComponent() else { return nil }
    (self.path, self.target) = (folder.appending(name), target)
  }

  /// How to make a store at the place of the link; `typed` is the path that somebody typed.
  fileprivate func wayOut(_ typed: FilePath, hasStore: Bool = false) -> Advice {
    Advice(
      "move the database itself into the synced folder",
      .moveDatabase(target, to: typed, hasStore: hasStore))
  }

  /// Whether there is a companion beside the link.
  fileprivate func hasCompanion(_ files: FileSystem) -> Bool {
    let companion = StorePaths(database: path, stateRoot: path).companion
    return (try? files.statusIfPresent(companion))??.kind == .directory
  }

  /// Whether it is a person's shortcut into a synced folder, in which the companion is synced too.
  func leadsIntoSyncedFolder(_ files: FileSystem) -> Bool {
    func isSynced(_ folder: FilePath) -> Bool {
      !ServiceSign.all(around: folder) { (try? files.list($0)) ?? [] }.isEmpty
    }
    return isSynced(target.removingLastComponent()) && !isSynced(path.removingLastComponent())
  }
}

/// The links through which this device has met databases, so that it can say what became of one.
struct KnownLinks: Codable {
  /// One link, by the bytes of its paths.
  struct Entry: Hashable, Codable {
    var path: [UInt8]
    var target: [UInt8]
  }

  private static let limit = 50

  private(set) var entries: [Entry] = []

  /// The links that the state folder knows.
  static func load(_ paths: StorePaths, _ files: FileSystem) -> KnownLinks {
    let found = try? CompanionFile.read(KnownLinks.self, at: paths.knownLinks, files)
    return found.flatMap(\.self) ?? KnownLinks()
  }

  /// Notes a link; only a convenience, so whatever stops it stops nothing else.
  static func note(_ link: DatabaseLink, _ paths: StorePaths, _ files: FileSystem) {
    var known = load(paths, files)
    let entry = Entry(path: link.path.bytes, target: link.target.bytes)
    guard known.entries.last != entry else { return }
    known.entries = (known.entries.filter { $0.path != entry.path } + [entry]).suffix(limit)
    try? files.makeDirectories(paths.stateRoot)
    try? CompanionFile.write(known, to: paths.knownLinks, durable: false, files)
  }

  /// The target of the link that was at a path.
  func target(of path: FilePath) -> FilePath? {
    entries.first { $0.path == path.bytes }.map { FilePath(bytes: $0.target) }
  }

  /// The links that led to a database.
  func links(to database: FilePath) -> [FilePath] {
    entries.filter { $0.target == database.bytes }.map { FilePath(bytes: $0.path) }
  }
}

extension StorePaths {
  /// How to replace a link by a folder, if it has the name of one of openwo's own folders.
  ///
  /// The advice moves only a folder that is openwo's by its `store.json`, as anybody who can write
  /// the synced folder chose where the link leads.
  func wayOut(ofLink link: FilePath) -> Advice {
    let files = FileSystem()
    let name = called(link)
    if link == companion, let target = try? files.realpath(link),
      (try? files.statusIfPresent(target.appending("store.json")))??.kind == .regular,
      !Self.hasDatabase(target, files)
    {
      return next("put the folder itself in its place", .replaceLink(name, by: target))
    }
    let other = FilePath(bytes: name.bytes + Array(".away".utf8))
    return next(
      "put the link away, then make the folder again", .putAway(name, as: other, then: .repair))
  }

  /// Whether a companion has its database beside it, and so is another store's.
  private static func hasDatabase(_ companion: FilePath, _ files: FileSystem) -> Bool {
    let suffix = Array(".openwo".utf8)
    guard companion.bytes.suffix(suffix.count).elementsEqual(suffix) else { return false }
    let database = FilePath(bytes: companion.bytes.dropLast(suffix.count))
    return ((try? files.statusIfPresent(database)) ?? nil) != nil
  }
}

extension StoreError {
  /// A store is made beside the database itself, which a link only leads to.
  static func linked(_ link: DatabaseLink, _ paths: StorePaths) -> StoreError {
    let typed = paths.given?.path ?? link.path
    return StoreError(
      .usage,
      "\(typed.printable) is a link to \(link.target.printable), and the versions would be kept "
        + "there, where a service that syncs \(link.path.removingLastComponent().printable) does "
        + "not see them; nothing was changed",
      advice: link.wayOut(typed))
  }

  /// There is no store at the end of a link, or in the place of an earlier link.
  static func noStore(behind link: DatabaseLink?, _ paths: StorePaths, _ files: FileSystem)
    -> StoreError
  {
    if let link {
      let typed = paths.given?.path ?? link.path
      return StoreError(
        .noStore,
        "\(typed.printable) is a link to \(link.target.printable), and there is no store of "
          + "that",
        advice: link.wayOut(typed, hasStore: link.hasCompanion(files)))
    }
    guard let target = KnownLinks.load(paths, files).target(of: paths.database) else {
      let isThere = (try? files.statusIfPresent(paths.database)) ?? nil
      return isThere?.kind == .regular ? .noStore(paths) : .noDatabase(paths, files)
    }
    return StoreError(
      .noStore,
      "there is no store at \(paths.name), which was a link to \(target.printable) "
        + "before; both files are left as they are",
      advice: paths.next("to make a store of what is here now", .initialize))
  }
}

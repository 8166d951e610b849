public import SystemPackage

/// A service of the system that coordinates who reads and writes the files of a folder.
///
/// An adapter passes on what it is asked and what it is told. What is done when, openwo decides.
public protocol FolderService: Sendable {
  /// Begins to coordinate the files of one database; nil if nothing has to be coordinated.
  func session(for place: FolderPlace) -> (any FolderSession)?
}

/// The coordination of one database's files.
public protocol FolderSession: Sendable {
  /// Runs a body while the service keeps other programs away from the database and its companion.
  ///
  /// - Throws: Why the service did not let it run. A session that throws has not run the body.
  func coordinate(_ access: FolderAccess, _ body: () -> Void) throws
  /// Those of the items, and of the files in the folders, that are not on this device yet.
  func notDownloaded(_ items: [FilePath], in folders: [FilePath]) throws -> [FilePath]
  /// Asks the service to bring an item.
  func download(_ item: FilePath) throws
  /// The versions of a file that lost a conflict and that nobody has resolved.
  func conflicts(of file: FilePath) throws -> [FolderConflict]
  /// Tells the service that the content of a conflict is kept elsewhere.
  func resolve(_ conflict: FolderConflict, of file: FilePath) throws
  /// Begins to tell of changes and of programs that want the files, if it does not do so already.
  func present(_ events: FolderEvents)
  /// Stops telling.
  func stopPresenting()
}

/// What a call does with the files.
public enum FolderAccess: Sendable, Hashable {
  /// It looks and changes nothing.
  case reading
  /// It may change any of them.
  case writing
}

/// Where the files of one database are.
public struct FolderPlace: Sendable, Hashable {
  /// The database.
  public let database: FilePath
  /// Its companion folder.
  public let companion: FilePath
  /// The folders in which changes matter; never a file, as SQLite's locks would end with its
  /// descriptor.
  public let folders: [FilePath]

  /// Makes the place of a database.
  public init(database: FilePath, companion: FilePath, folders: [FilePath]) {
    (self.database, self.companion, self.folders) = (database, companion, folders)
  }
}

/// What a service tells.
public struct FolderEvents: Sendable {
  /// Something may have changed in the folder.
  public let changed: @Sendable () -> Void
  /// Another program is about to use the database: when this returns, it is closed here.
  public let yield: @Sendable () -> Void

  /// Makes the two answers to a service.
  public init(changed: @escaping @Sendable () -> Void, yield: @escaping @Sendable () -> Void) {
    (self.changed, self.yield) = (changed, yield)
  }
}

/// A version of a file that lost a conflict.
public struct FolderConflict: Sendable, Hashable {
  /// The file with its content; it is the service's.
  public let contents: FilePath
  /// When it was written, in nanoseconds since 1970.
  public let modifiedAt: Int64
  /// Whether its content is on this device.
  public let isHere: Bool

  /// Makes a version of a file from what a service says of it.
  public init(contents: FilePath, modifiedAt: Int64, isHere: Bool) {
    (self.contents, self.modifiedAt, self.isHere) = (contents, modifiedAt, isHere)
  }
}

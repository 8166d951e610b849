import OpenWOFiles
import SystemPackage

/// Opening what may not be there yet.
extension SyncedDatabase {
  /// What to do if there is no store.
  public enum Opening: Sendable, Hashable {
    /// Opens a store that is there.
    case existing
    /// Makes a store of the database, or a new database with the schema and the seeds of the configuration's migrations.
    case createIfMissing
  }

  /// Opens the store of a database, and makes it first if it is to be made.
  ///
  /// Where something says that a store was here before, nothing is made: its folder may have gone away for a moment.
  ///
  /// ```swift
  /// let store = try SyncedDatabase.open("Training/openwo.sqlite", .createIfMissing, configuration)
  /// ```
  ///
  /// - Throws: ``StoreError``, as `init(path:configuration:)` and `initialize(path:create:configuration:)`; `traces` where a store was.
  public static func open(
    _ path: String, _ opening: Opening = .existing,
    _ configuration: Configuration = Configuration()
  ) throws -> SyncedDatabase {
    do {
      return try SyncedDatabase(path: path, configuration: configuration)
    } catch let error as StoreError where error.code == .noStore && opening != .existing {
      do {
        let isThere = try configuration.files.statusIfPresent(FilePath(path)) != nil
        // What this device knows to have been here is brought back, and not made once more.
        try checkNothingLost(at: FilePath(path), create: !isThere, configuration: configuration)
        _ = try initialize(path: path, create: !isThere, configuration: configuration)
      } catch let refused as StoreError {
        // Another process may have made it just now.
        if let store = try? SyncedDatabase(path: path, configuration: configuration) {
          return store
        }
        throw refused
      }
      return try SyncedDatabase(path: path, configuration: configuration)
    }
  }
}

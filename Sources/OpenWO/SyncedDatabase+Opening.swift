import OpenWOFiles
import SystemPackage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Opening what may not be there yet.
extension SyncedDatabase {
  /// What to do if there is no store.
  public enum Opening: Sendable, Hashable {
    /// Opens an existing store.
    case existing
    /// Makes a store of the database, or a new database with the schema and the seeds of the configuration's migrations.
    case createIfMissing
  }

  /// Opens the store of a database, and creates it first if requested.
  ///
  /// If there are signs of an earlier store, nothing is created: its folder may be away for a
  /// moment.
  ///
  /// ```swift
  /// let store = try SyncedDatabase.open("Training/openwo.sqlite", .createIfMissing, configuration)
  /// ```
  ///
  /// - Throws: ``StoreError``, as `init(path:configuration:)` and
  ///   `initialize(path:create:configuration:)`; `traces` if there was a store.
  public static func open(
    _ path: String, _ opening: Opening = .existing,
    _ configuration: Configuration = Configuration()
  ) throws -> SyncedDatabase {
    do {
      return try SyncedDatabase(path: path, configuration: configuration)
    } catch let error as StoreError where error.code == .noStore && opening != .existing {
      do {
        let isThere = try configuration.files.statusIfPresent(FilePath(path)) != nil
        // A store that this device knows is restored, and not created again.
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

  /// Opens the store of a database at a file URL, and creates it first if requested.
  ///
  /// - Throws: ``StoreError``, as `open(_:_:_:)` with a path.
  public static func open(
    _ url: URL, _ opening: Opening = .existing,
    _ configuration: Configuration = Configuration()
  ) throws -> SyncedDatabase {
    try open(url.path(percentEncoded: false), opening, configuration)
  }
}

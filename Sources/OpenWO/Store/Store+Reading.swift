import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Reads of the live file, or of the last good content.
extension Store {
  /// How long a read waits for a file that is just being replaced, in milliseconds.
  private static var readPatience: Int64 { 300 }

  /// What a read reads.
  enum Readable {
    case live(Connection)
    /// A private copy of the last good content, which needs no lock and no store.
    case copy(FilePath)
  }

  /// The live file, or the last good content while somebody has the lock or the live file is in
  /// doubt.
  func readable() throws -> Readable {
    upkeep.lastUse = clock.monotonic()
    do {
      return .live(try enter(waiting: Self.readPatience).connection)
    } catch  where servesLastContent(error) {
      letGo()
      // Include what other processes of this device have just written.
      try catchUp()
      guard let path = try withLastGood(versions.pathOfCopy) else { throw error }
      return .copy(path)
    }
  }

  /// Opens what a read reads.
  func connectionForReading() throws -> Connection {
    for _ in 0..<Self.attempts {
      switch try readable() {
      case .live(let connection): return connection
      case .copy(let path):
        do {
          return try Connection(path: path, .ofPrivateCopy)
        } catch {
          // Another process has just cleared it away for one of its own.
          guard try files.statusIfPresent(path) == nil else { throw error }
        }
      }
    }
    throw StoreError.busy(paths)
  }

  /// Opens a private copy of the last good content; nil if no version is whole.
  func lastGoodCopy() throws -> Connection? { try withLastGood(versions.privateCopy) }

  private func withLastGood<Result>(_ body: (ContentHash) throws -> Result) throws -> Result? {
    for _ in 0..<Self.attempts {
      guard let version = try lastGoodVersion() else { return nil }
      do {
        return try body(version.content)
      } catch HistoryError.missing {
        // Another process has just replaced it by its next version.
        try versions.list()
      }
    }
    return nil
  }

  /// Ends a read: a private copy is closed, the live file stays open for the next one.
  func doneReading(_ connection: Connection) {
    upkeep.lastUse = clock.monotonic()
    if connection !== live?.connection { connection.close() }
  }

  private func servesLastContent(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError:
      [.locked, .damaged, .unavailable, .busy, .newerFormat].contains(error.code)
    // The copy would lack a write of ours that has no version yet.
    case let error as FileError: error.isTransient && uncaptured == nil
    default: false
    }
  }
}

import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Reads of the live file, or of the last good content.
struct Reading: StorePart {
  let store: Store

  /// How long a read waits for a file that is just being replaced, in milliseconds.
  static var patience: Int64 { 300 }

  /// What can be read.
  private enum Readable {
    case live(LiveFile)
    /// A private copy of the last good content, which needs no lock and no store.
    case copy(FilePath)
  }

  /// The live file, or the last good content while somebody has the lock or the live file is in
  /// doubt.
  private func readable() throws -> Readable {
    store.upkeep.lastUse = clock.monotonic()
    store.call.isRead = true
    defer { store.call.isRead = false }
    do {
      return .live(try session.enter(waiting: Self.patience))
    } catch  where servesLastContent(error) {
      session.letGo()
      // Include what other processes of this device have just written.
      try store.catchUp()
      guard let path = try withLastGood(versions.pathOfCopy) else { throw error }
      return .copy(path)
    }
  }

  /// A read that has begun: it needs the store no more.
  enum Begun: Sendable {
    case live(Reader)
    /// It reads this private copy.
    case copy(FilePath)
  }

  /// Begins a read; one of the live file is to be ended by `finish` of the readers.
  func begin() throws -> Begun {
    for _ in 0..<Store.attempts {
      switch try readable() {
      case .live(let live): if let reader = try begin(live) { return .live(reader) }
      case .copy(let path): return .copy(path)
      }
    }
    throw StoreError.busy(paths)
  }

  /// Begins a read of the live file; nil if it was changed meanwhile.
  private func begin(_ live: LiveFile) throws -> Reader? {
    let readers = workingCopy.readers
    while !readers.mayBegin(at: clock.monotonic()) { try session.pause(nanoseconds: 500_000) }
    let idle = readers.takeIdle()
    let reader: Reader
    do {
      reader =
        try idle
        ?? Reader(paths.database, file: live.signature, generation: readers.generation)
    } catch {
      // The name was taken away, or given to another file, since the look.
      guard try live.isUntouched() else { return nil }
      throw error
    }
    do {
      try reader.begin(coordinator.session)
    } catch let error as SQLiteError where error.code == .busy {
      readers.keep(reader)
      throw session.laterIfBusy(error)
    } catch {
      reader.close()
      switch (error as? SQLiteError)?.extendedCode {
      case ResultCode.rollbackNeeded?:
        // Whoever plays a journal back needs the file for itself.
        try session.awaitReaders(of: paths.database)
        do { try live.connection.withReadLock {} } catch { throw session.laterIfBusy(error) }
      // It came since the look.
      case ResultCode.walRefused?: break
      default: if try live.isUntouched() { throw error }
      }
      return nil
    }
    // One that was just opened may have another file than the one that was looked at.
    do {
      if try idle != nil || !reader.hasMoved && live.isUntouched() {
        readers.add(reader, at: clock.monotonic())
        return reader
      }
    } catch {
      reader.close()
      throw error
    }
    reader.close()
    return nil
  }

  /// Opens what a read reads.
  func connection() throws -> Connection {
    for _ in 0..<Store.attempts {
      switch try readable() {
      case .live(let live): return live.connection
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
    for _ in 0..<Store.attempts {
      guard let version = try versions.lastGood(live: workingCopy.current) else { return nil }
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
  func done(_ connection: Connection) {
    store.upkeep.lastUse = clock.monotonic()
    if connection !== workingCopy.file?.connection { connection.close() }
  }

  private func servesLastContent(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError:
      [.locked, .damaged, .unavailable, .busy, .newerFormat].contains(error.code)
    // The copy would lack a write of ours that has no version yet.
    case let error as FileError: error.isTransient && !workingCopy.hasUncaptured
    default: false
    }
  }
}

import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// What a person or a program edits in the live file under a lock.
struct LockedEdit {
  let store: Store
  let lock: StoreLock
  /// The version that the edit began with.
  let start: Version?

  init(_ lock: StoreLock, in store: Store) throws {
    (self.store, self.lock) = (store, lock)
    start =
      try lock.head.flatMap { try store.versions.listed().graph[$0] }
      ?? store.workingCopy.currentVersion()
  }

  /// The state of the live file under this device's lock.
  enum State: Hashable {
    /// As it was when the lock began.
    case unchanged
    case whole
    /// It is missing, cut, or not a whole database, so it cannot be a version.
    case damaged(String)
    /// It is in WAL mode, so that the changed rows cannot be seen before a checkpoint.
    case logged
  }

  private var paths: StorePaths { store.paths }
  var isOurs: Bool { lock.device == store.device.id }

  /// The live file, whoever has the lock; for use in a look.
  func live() throws -> Sighting.Live {
    try VersionDetector(store: store).lookAtLive(store.versions.listed())
  }

  /// Looks at the live file under this device's lock.
  ///
  /// - Throws: `busy` while a program has it in a transaction.
  func state() throws -> State {
    if try isThere() {
      do {
        try store.session.awaitProgram()
      } catch let error as SQLiteError where error.extendedCode == .walRefused {
        return .logged
      } catch let error as SQLiteError where error.isDamage {
        // The look finds the same.
      }
    }
    switch try live() {
    case .whole(let content, _): return content == start?.content ? .unchanged : .whole
    case .doubtful(let why, _): return .damaged(why)
    case .missing: return .damaged("it is missing")
    case .changing, .writeAheadLog, .unreadable: throw StoreError.busy(paths)
    }
  }

  func isThere() throws -> Bool { try store.files.statusIfPresent(paths.database) != nil }

  /// The version that holds what was edited, however it came to be captured.
  func version() throws -> VersionID? {
    let graph = try store.versions.listed().graph
    return graph.newestFirst.first { version in
      version.device == store.device.id && [.edit, .external, .restore].contains(version.reason)
        && lock.head.map { $0 != version.id && !graph.isAncestor(version.id, of: $0) } ?? true
    }?.id
  }

  /// The rows that point at nothing since the edit; nil if there are none more than before.
  func brokenReferences() throws -> BrokenReferences? {
    let broken = try store.workingCopy.file?.connection.foreignKeyViolations(limit: 1000) ?? []
    guard !broken.isEmpty else { return nil }
    let before = try withStart { try $0.foreignKeyViolations(limit: 1000) } ?? []
    let count = broken.count - before.count
    guard count > 0 else { return nil }
    let known = Set(before)
    return BrokenReferences(first: broken.first { !known.contains($0) } ?? broken[0], count: count)
  }

  /// Findings of a check that are new since the edit.
  func newFindings() throws -> [String] {
    guard let now = try store.workingCopy.file?.connection.notes(), !now.isEmpty else { return [] }
    let known = try withStart { try Set($0.notes()) } ?? []
    return now.filter { !known.contains($0) }
  }

  /// Adds the changes since the lock to the report, if the state before the lock is all here.
  func describe(_ report: inout UnlockReport) throws {
    guard let live = store.workingCopy.file else { return }
    let difference = try withStart { before in
      try OpenWOMerge.difference(from: before, to: live.connection, options: .forReading())
    }
    guard let difference else { return }
    report.schemaChanged = !difference.schemaChanges.isEmpty
    report.changes = difference.changes
  }

  /// Runs a body on the content from before the lock, if it is all here.
  private func withStart<Result>(_ body: (Connection) throws -> Result) throws -> Result? {
    guard let start, try store.versions.isRestorable(start.content) else {
      return nil
    }
    let before = try store.versions.privateCopy(of: start.content)
    defer { before.close() }
    return try body(before)
  }
}

/// What keeps an edit from becoming a version, for people who look while somebody has the lock.
///
/// The live file is only read, and closed at once.
extension LockedEdit {
  /// What is wrong with the database under a lock; nil if it is whole, or cannot be read now.
  ///
  /// A file under another device's lock may be its half of an edit: only a missing one says something.
  func trouble() throws -> StoreError? {
    guard isOurs else { return try isThere() ? nil : isMissing }
    return try store.session.looking {
      switch try live() {
      case .missing: isMissing
      case .doubtful(let why, _): isDamaged(why)
      case .unreadable(.unusable(let why)): .unusable(why, paths)
      case .whole(let content, _): try refusal(of: content)
      default: nil
      }
    }
  }

  /// The error that the edit under this device's lock leaves rows that point at nothing, so that
  /// `unlock` will refuse it; nil if it does not.
  func refusal(of content: ContentHash) throws -> StoreError? {
    guard isOurs, content != start?.content else { return nil }
    do {
      _ = try store.workingCopy.open()
      return try brokenReferences().map { .brokenReferences($0.first, count: $0.count, paths) }
    } catch {
      return nil
    }
  }

  /// The error that the database is missing.
  var isMissing: StoreError {
    StoreError(
      .unavailable,
      "\(paths.name) is missing while \(isOurs ? "it is" : "\(lock.holder) has it") "
        + "locked; the versions are safe",
      advice: wayBack, remedies: waysBack, lock: lock)
  }

  /// The error that the database is damaged.
  func isDamaged(_ why: String) -> StoreError {
    StoreError(
      .damaged,
      "\(paths.name) is damaged (\(why)) while "
        + "\(isOurs ? "it is" : "\(lock.holder) has it") locked; the versions before are safe",
      advice: wayBack, remedies: waysBack, lock: lock)
  }

  /// How to come back to a whole database.
  private var wayBack: Advice {
    guard isOurs, !lock.endsWithProcess else { return lock.ending(isOurs: isOurs, paths) }
    return paths.next("to go back to the state before the lock", .discardEdit)
  }

  private var waysBack: [Remedy] {
    isOurs && !lock.endsWithProcess ? [.discardEdit] : lock.remedies(isOurs: isOurs)
  }
}

/// Rows that point at nothing since an edit.
struct BrokenReferences: Hashable {
  var first: ForeignKeyViolation
  var count: Int
}

extension SQLiteError {
  /// Whether it says that the file is not a whole database.
  var isDamage: Bool { [.corrupt, .notADatabase].contains(code) }
}

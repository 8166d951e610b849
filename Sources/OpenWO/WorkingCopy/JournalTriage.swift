import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Judges a journal beside the live file: it may be replayed only if that leads to a known content.
///
/// The journal and the database are copied into the state folder and replayed there. A journal of
/// another database, or of another state of this one, would silently corrupt or revert the
/// database, so it is moved into quarantine instead.
struct JournalTriage: Sendable {
  private let database: FilePath
  private let log: FilePath
  private let state: StatePaths
  private let files: FileSystem
  /// The known contents of the database, and the error if one cannot be read now.
  private let known: @Sendable () throws -> (contents: Set<ContentHash>, unread: FileError?)
  /// Whether commits of this process have no version yet: then a known content is an earlier one.
  private let isAhead: @Sendable () -> Bool
  /// Whether a state that only the journal leads to is left to the caller.
  private let leavesStates: Bool

  /// The journal leads to another state than the whole file beside it, and is left to the new
  /// store.
  struct StateLeft: Error {}

  init(_ workingCopy: WorkingCopy) {
    (database, log) = (workingCopy.paths.database, workingCopy.paths.writeAheadLog)
    (state, files) = (workingCopy.state, workingCopy.files)
    let (archive, recorded) = (workingCopy.versions.archive, workingCopy.content)
    leavesStates = false
    isAhead = { [uncaptured = workingCopy.uncaptured] in uncaptured.areAny }
    known = {
      let listing = try archive.scan()
      let captured = listing.versions.map(\.content)
      return (Set(captured).union(recorded.map { [$0] } ?? []), listing.unread)
    }
  }

  /// Judges journals beside a database that is not a store yet; a journal that is moved away is
  /// kept in quarantine.
  ///
  /// If states are left to the caller, a journal that leads to one is refused with `StateLeft`.
  init(
    unknown paths: StorePaths, _ state: StatePaths, _ files: FileSystem, leavesStates: Bool
  ) {
    (database, log, self.state, self.files) = (paths.database, paths.writeAheadLog, state, files)
    self.leavesStates = leavesStates
    known = { ([], nil) }
    isAhead = { false }
  }

  /// The judge as the guard calls it: while the database is locked shared and no writer is in a transaction.
  var closure: @Sendable (borrowing HotJournal) -> JournalVerdict { closure { _ in } }

  /// The judge that also says what kept it from judging.
  func closure(
    telling tell: @escaping @Sendable (any Error) -> Void
  ) -> @Sendable (borrowing HotJournal) -> JournalVerdict {
    { journal in
      do {
        return try judge(journal)
      } catch {
        tell(error)
        return .refuse
      }
    }
  }

  private func judge(_ journal: borrowing HotJournal) throws -> JournalVerdict {
    for folder in [state.quarantine, state.scratch] { try files.makeDirectories(folder) }
    let (known, unread) = try known()
    let isHollow = try files.lstat(database).isHollow
    // A file that is nearly all holes holds nobody's work.
    if try isHollow || files.lstat(journal.journalPath).isHollow {
      return try isHollow && known.isEmpty ? .refuse : setAside(journal)
    }
    // A program that uses WAL mode has met and removed every journal.
    if try DatabaseHeader.parse(journal.databaseHeader)?.isWAL ?? false,
      try files.statusIfPresent(log).map({ $0.size > 0 }) ?? false
    {
      return try setAside(journal)
    }
    let trial = try Trial(journal, state.scratch, files)
    defer { trial.remove() }
    if known.contains(trial.before) {
      // The database is whole as it is: the journal belongs to something else.
      return try setAside(journal)
    }
    let isWholeBefore = try trial.isWholeBefore()
    let after = try trial.play()
    var isProven = false
    if let after { isProven = try isOurs(journal, trial, after) }
    // Asked after the marks were compared: those of another file prove nothing.
    guard !journal.hasMoved else { return .refuse }
    if isProven {
      // Half of a transaction can look whole, and so can all of it: what is taken back is kept.
      if isWholeBefore { try keep(journal) }
      return .replay
    }
    if let after, known.contains(after.content), !isAhead() {
      // It can also be another device's, and the commits here acknowledged: they become a version.
      if isWholeBefore { try keep(journal, asUndoneTo: after.content) }
      return .replay
    }
    let isWholeAfter = after?.isWhole ?? false
    // The proof may be in a version that cannot be read now.
    if let unread { throw unread }
    // Unproven: only when one of the two is a whole database it can be meant.
    if isWholeAfter && !isWholeBefore {
      try keep(journal)
      try keepEvidence(journal)
      return .replay
    }
    // No version can replace an unknown database, so a person who repairs it needs both files.
    if !isWholeBefore && known.isEmpty { return .refuse }
    if isWholeAfter && after?.content != trial.before {
      // A program may have written twice before anybody looked, and the second time it was cut short: its first writing is in the journal only.
      if leavesStates { throw StateLeft() }
      try trial.keep(in: state.unproven)
    }
    return try setAside(journal)
  }

  /// Whether the journal is of our own commit, began in a state that has no version, and the file
  /// is between the two states.
  ///
  /// Each commit increases the header's counter, so any other state has another count.
  private func isOurs(
    _ journal: borrowing HotJournal, _ trial: Trial, _ after: Trial.Outcome
  ) throws -> Bool {
    guard after.isWhole, let key = try JournalMark.key(state, files),
      let mark = JournalMark(of: trial.journalHead)
    else { return false }
    let inodes = try [database, journal.journalPath].map { try files.lstat($0).inode }
    guard mark == JournalMark(key, trial.journalHead, inodes: inodes, header: after.header),
      let begun = DatabaseHeader.parse(after.header)
    else { return false }
    let standing = try journal.databaseHeader
    return standing == after.header
      || DatabaseHeader.parse(standing)?.changeCounter == begun.changeCounter &+ 1
  }

  /// Keeps the database as it is; its own file is not opened, since closing that would drop
  /// SQLite's locks.
  ///
  /// Together with the content that the journal leads to, it becomes a version later.
  private func keep(
    _ journal: borrowing HotJournal, asUndoneTo content: ContentHash? = nil
  ) throws {
    let copy = state.quarantine.appending("undone-\(randomHex(bytes: 8)).sqlite")
    _ = try Trial.copyDatabase(journal, to: copy, files)
    guard let content else { return }
    try files.makeDirectories(state.unproven)
    let name = "\(content)-\(randomHex(bytes: 8)).sqlite"
    try FoldedContent(copy, files).write(to: state.unproven.appending(name), files)
  }

  private func keepEvidence(_ journal: borrowing HotJournal) throws {
    try state.keepEvidence(journal.journalPath, as: "journal", "", files)
  }

  private func setAside(_ journal: borrowing HotJournal) throws -> JournalVerdict {
    try keepEvidence(journal)
    // The file that has taken the name since may have a journal of its own.
    guard !journal.hasMoved else { return .refuse }
    try files.unlink(journal.journalPath)
    return .gone
  }
}

import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The live file as this device works with it: how it is open, what it held when that was last
/// known, and what changed since.
///
/// Of the versions it knows only contents, and it makes none. It takes no locks and waits for nobody: whoever uses it holds the store,
/// and the session locks while the file is open.
final class WorkingCopy {
  let paths: StorePaths
  let state: StatePaths
  let files: FileSystem
  let versions: VersionStore
  let clock: any StoreClock
  let busyTimeout: Duration

  /// The live file while it is open.
  var file: LiveFile?
  /// The files that lost their name while commits waited to be captured from them.
  var orphans: [Orphan] = []
  /// The connections that read it beside this one.
  let readers = Readers()
  /// Whether it is opened for reading only: it is only looked at, or another device has the lock.
  private var isLookedAt = false
  /// What it held when that was last known; nil: it has to be read.
  private(set) var baseline: Baseline?
  /// The parts of the baseline that are in files.
  private var saved: Baseline.Saved?
  /// The last look at a file that differs from the baseline.
  private var lastLook: Look?
  /// The content of a database in WAL mode together with its log.
  private(set) var logged: LoggedCopy?
  /// The file after this process turned it back from WAL mode, and before.
  private(set) var folded: (after: FileSignature, before: FileSignature)?
  /// The commits that have no version yet.
  let uncaptured = UncapturedCommits()
  /// The secret in the marks of journals; nil: not needed yet.
  private var journalKey: [UInt8]?

  init(_ versions: VersionStore, clock: any StoreClock, busyTimeout: Duration) {
    self.versions = versions
    (paths, state, files) = (versions.paths, versions.state, versions.files)
    (self.clock, self.busyTimeout) = (clock, busyTimeout)
  }
}

/// Opening and closing.
extension WorkingCopy {
  /// The live file, opened if it is closed; this does not check locks.
  func open() throws -> LiveFile {
    if let file {
      if file.isReadOnly == isLookedAt && !file.connection.hasMoved { return file }
      close()
    }
    let opened = try LiveFile(
      connection: connect(.live(judge: JournalTriage(self).closure)), path: paths.database,
      isReadOnly: isLookedAt, files: files)
    file = opened
    return opened
  }

  /// A connection to the live file; the only place, but for reads, that makes one.
  func connect(_ policy: GuardPolicy) throws -> Connection {
    try Connection(
      path: paths.database,
      Connection.Options(
        mode: isLookedAt ? .readOnly : .readWrite, guardPolicy: policy, busyTimeout: busyTimeout))
  }

  /// Closes the live file; reads that still run keep it open until they end.
  ///
  /// A file that has lost its name stays open as long as commits wait to be captured from it.
  func close() {
    if setAsideMoved() { return readers.closeIdle() }
    closeReplaced()
  }

  /// Closes the live file, also if it has lost its name to one that this process has put there.
  func closeReplaced() {
    file?.close()
    file = nil
    readers.closeIdle()
  }

  /// Closes a file into which somebody else has written, so that it is opened again.
  func closeIfTouched() throws {
    if let file, try !file.isUntouched() { close() }
  }

  /// Closes the file, and forgets commits that cannot be captured from it any more.
  func abandon() {
    uncaptured.end()
    close()
  }

  /// From here on the file is only read, so that SQLite plays no journal back, until the look ends.
  func beginLook() { isLookedAt = true }

  /// Ends a look, if there is one: the file is closed.
  func endLook() {
    if isLookedAt { closeAfterLook() }
  }

  /// Closes the file, also after a look.
  func closeAfterLook() {
    close()
    isLookedAt = false
    logged = nil
  }

  /// Runs a body for which the file is only read, and closed afterwards.
  func looking<Result>(_ body: () throws -> Result) rethrows -> Result {
    beginLook()
    defer { closeAfterLook() }
    return try body()
  }

  /// The open file, if it has what was recorded and nobody has changed it since.
  func fileInStep() throws -> LiveFile? {
    guard let file, file.isKnown, try file.isUntouched() else { return nil }
    return file
  }

  /// Takes an open file for the recorded one, if it looks like that; then it may be written to.
  func recognises(_ file: LiveFile) -> Bool {
    guard isAsRecorded(file.signature) else { return false }
    file.becomeKnown()
    return true
  }
}

/// The baseline.
extension WorkingCopy {
  /// The version that the file is a copy of, as far as this device knows.
  var current: VersionID? { baseline?.current }
  /// The same version, if it is listed.
  func currentVersion() throws -> Version? {
    try current.flatMap { try versions.listed().graph[$0] }
  }
  /// That version's content.
  var content: ContentHash? { baseline?.content }

  /// Takes over what this or another process of the device has recorded, if it still counts.
  func loadBaseline() {
    guard let found = Baseline.load(state.root, boot: versions.boot, files) else { return }
    (baseline, saved) = (found.baseline, found.saved)
  }

  /// Makes a baseline the one that counts.
  func record(_ new: Baseline) throws {
    baseline = new
    saved = try new.save(state.root, boot: versions.boot, over: saved, files)
  }

  /// Records that the open file is a copy of a version, with the digests of its blocks.
  func note(_ version: VersionID, _ digests: BlockDigests) throws {
    guard let file else { return }
    file.becomeKnown()
    let new = Baseline(current: version, signature: file.signature, digests: digests)
    guard new != baseline else { return }
    try record(new)
  }

  /// Records that a database in WAL mode is, together with its log, a copy of a version.
  ///
  /// The file stays as it is, so the baseline has a signature that never fits: it is looked at again.
  func note(_ version: VersionID, _ copy: LoggedCopy) throws {
    var signature = copy.state.database
    (signature.size, signature.ctime) = (copy.digests.size, 0)
    try record(Baseline(current: version, signature: signature, digests: copy.digests))
  }

  /// Closes a file that is a copy of no version any more, so that it is read again.
  func forgetBaseline() {
    close()
    baseline = nil
  }

  /// Counts a baseline that is not recorded, until ``assuming(_:)`` ends.
  func assume(_ new: Baseline) { baseline = new }

  /// Runs a body that may assume another baseline; afterwards the one before counts again.
  func assuming<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = baseline
    defer { baseline = before }
    return try body()
  }
}

/// The last look at a file that is not as recorded, so that an unchanged file is read once.
extension WorkingCopy {
  /// A file whose signature is not the recorded one, as it was seen.
  private struct Look {
    var signature: FileSignature
    var live: Sighting.Live
    /// Its digests; nil while it is not whole.
    var digests: BlockDigests?
  }

  /// Remembers what was seen of a file.
  func remember(
    _ live: Sighting.Live, of signature: FileSignature, _ digests: BlockDigests? = nil
  ) {
    lastLook = Look(signature: signature, live: live, digests: digests)
  }

  /// What was seen of a file at the last look; nil if that was at another one.
  func remembered(_ signature: FileSignature) -> Sighting.Live? {
    lastLook?.signature == signature ? lastLook?.live : nil
  }

  /// The file that was looked at last, as it looked then.
  var seenLast: FileSignature? { lastLook?.signature }

  /// Whether a file is the one that was looked at, or the recorded one.
  func isAsSeen(_ signature: FileSignature?) -> Bool {
    [lastLook?.signature, baseline?.signature].contains(signature)
  }

  /// The digests of a file that is as it was looked at or recorded; nil if it is not, or not whole.
  func knownDigests(of signature: FileSignature) -> BlockDigests? {
    let seen = lastLook?.signature == signature ? lastLook?.digests : nil
    return seen ?? (isAsRecorded(signature) ? baseline?.digests : nil)
  }

  /// Forgets the last look if an error of SQLite shows that a program has come since.
  ///
  /// - Returns: Whether that was so; then the next look finds that program, too.
  func hasOvertakenLook(_ error: SQLiteError) throws -> Bool {
    let isAsSeen = isAsSeen(try signature())
    guard error.code == .busy && lastLook != nil || !isAsSeen else { return false }
    lastLook = nil
    return true
  }

  /// Records a new signature for the same content: somebody has touched the file, or written the
  /// same bytes again.
  func refreshBaseline() throws {
    guard var known = baseline, let look = lastLook, look.digests?.root == known.content,
      look.signature != known.signature, try signature() == look.signature
    else { return }
    known.signature = look.signature
    try record(known)
  }
}

/// Writes of this process.
extension WorkingCopy {
  /// Notes that a commit waits to be captured.
  func noteCommit(_ changed: ChangedPages) { uncaptured.add(changed, to: content) }

  /// The pages that differ from the recorded content by what waits.
  var uncapturedPages: ChangedPages { uncaptured.pages(since: content) }

  /// Makes sure of what a journal is marked with, before anything is written.
  func prepareMark() throws {
    journalKey = try journalKey ?? JournalMark.makeKey(state, files)
  }

  /// Marks the journal of a commit, so that it is recognised as ours after a crash.
  func markJournal(of transaction: Transaction) throws {
    guard let journalKey, let file else { return }
    // Without its number the mark proves nothing, which is safe.
    let journal = try? files.lstat(paths.journal).inode
    try file.connection.markJournal {
      JournalMark(
        journalKey, $0, inodes: [file.signature.inode, journal ?? 0], header: transaction.header
      ).bytes
    }
  }
}

/// What is known of a file in WAL mode.
extension WorkingCopy {
  /// Notes that this process has turned a file back from WAL mode.
  func noteFolded(from before: FileSignature) throws {
    folded = (try files.lstat(paths.database).signature, before)
  }

  /// A copy of the database and its log as they are now; nil if somebody wrote while it was made.
  ///
  /// `awaitReaders` waits for reads of this process, once the file is closed.
  func takeLogged(_ awaitReaders: () throws -> Void) throws -> LoggedCopy? {
    close()
    if let logged, try logged.state == LoggedCopy.State(of: paths, files) { return logged }
    logged = nil
    try awaitReaders()
    logged = try copyWithLog()
    return logged
  }

  /// A new copy, for which the file is closed.
  func copyWithLog() throws -> LoggedCopy? {
    close()
    return try LoggedCopy(of: paths, in: state.scratch, files, clock)
  }
}

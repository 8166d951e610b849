import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// Programs that write over the live file without a lock, as some services do, while this process
/// writes.
///
/// The times of the file and a few pages tell of them at no cost. If these leave a doubt, all pages
/// that we did not write are compared with the content that the transaction began with.
extension WorkingCopy {
  /// Verifies that the last commit, and nothing else, is in the file that has the name; call it
  /// under a read lock held since the commit.
  ///
  /// SQLite checks for a replaced file only when a transaction opens its journal. If a file is
  /// renamed over the database after that, the commit is lost. So the handle is compared with the
  /// name after the commit and before the commit is reported.
  ///
  /// - Throws: `StaleLook` if another file has the name; `LiveFileOverwritten` if somebody
  ///   wrote over this one.
  func verifyCommit(_ file: LiveFile) throws {
    let isPlausible = try file.isPlausible()
    let others = try file.connection.writesOfOthers()
    guard !file.connection.hasMoved else { throw StaleLook() }
    guard isPlausible, others != .pages else { throw LiveFileOverwritten() }
    guard try others == .nothing || hasOnlyUncapturedPages(file.connection) == true else {
      throw LiveFileOverwritten()
    }
  }

  /// Whether an open file has the captured content and our own commits after it, and nothing else;
  /// nil if that cannot be found out.
  func holdsOnlyOwnCommits(
    _ file: LiveFile, _ commits: UncapturedCommits.Changes? = nil
  ) throws -> Bool? {
    guard try file.connection.writesOfOthers() != .pages else { return false }
    return try file.connection.withReadLock {
      try hasOnlyUncapturedPages(file.connection, commits)
    }
  }

  /// Compares all pages but those of the commits that wait to be captured with the recorded
  /// content; nil if it is not known which these are, or if that content is not here.
  private func hasOnlyUncapturedPages(
    _ connection: Connection, _ commits: UncapturedCommits.Changes? = nil
  ) throws -> Bool? {
    let pages = commits.map { $0.pages.map { .pages($0.sorted()) } ?? .all } ?? uncapturedPages
    guard case .pages(let uncaptured) = pages, let base = commits.map(\.base) ?? content,
      let before = try? versions.archive.reader(base, in: versions.listed().archive)
    else { return nil }
    let content = try LiveContent(connection)
    let pageSize = try connection.header().pageSize
    let (found, expected) = (PageBuffer(byteCount: pageSize), PageBuffer(byteCount: pageSize))
    let changed = Set(uncaptured)
    for (index, offset) in stride(from: 0, to: content.size, by: pageSize).enumerated()
    where !changed.contains(UInt32(index + 1)) {
      let (bytes, known) = (found.bytes(pageSize), expected.bytes(pageSize))
      guard try content.read(at: offset, into: bytes) == pageSize,
        let count = try? before.read(at: offset, into: known), count == pageSize,
        sharedCount(UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(known)) == pageSize
      else { return false }
    }
    return true
  }

  /// Refuses a write of which nothing was written, as somebody had written over the file since it
  /// began.
  func refuseIfWithheld(_ file: LiveFile) throws {
    guard file.connection.hasWithheldWrites else { return }
    try? file.connection.rollback()
    close()
    throw StoreError.overwritten(paths)
  }
}

/// A file that holds pages of a commit and of a program that wrote over it meanwhile.
extension WorkingCopy {
  private static var limit: Int { 1024 }

  /// Notes that a file may hold a mix, for every process of this device.
  func noteOverwritten(_ file: LiveFile) throws {
    guard let word = overwrittenWord(file.signature) else { return }
    try AtomicFile.write(
      Array(word.utf8), to: state.overwritten, durable: false, fileSystem: files)
  }

  /// Whether a file may hold a mix: it was written over during a write of ours, and nothing that it
  /// held since is known.
  func isOverwritten(_ signature: FileSignature) -> Bool {
    guard let word = overwrittenWord(signature),
      let noted = try? files.readSmall(state.overwritten, limit: Self.limit)
    else { return false }
    return noted.elementsEqual(word.utf8)
  }

  /// The note becomes void with the next content that is recorded.
  private func overwrittenWord(_ signature: FileSignature) -> String? {
    content.map { "\(signature.device) \(signature.inode) \($0)\n" }
  }
}

/// What was looked at is not there any more, such as the content of the live file: look again.
struct StaleLook: Error {}

/// Somebody wrote into the live file without a lock during a write of ours.
struct LiveFileOverwritten: Error {}

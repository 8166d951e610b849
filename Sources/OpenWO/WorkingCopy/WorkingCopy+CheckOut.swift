import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Replaces the live file by a version's content.
///
/// The new content is built beside the live file and made durable. It takes the name in one step,
/// while SQLite's exclusive lock is held on the outgoing file, so that no other commit comes in
/// between. The outgoing file is then compared with the one that was captured. If it differs it
/// stays as a staging file, which the next look captures like a conflict copy.
extension WorkingCopy {
  /// What is replaced.
  enum Outgoing {
    /// The recorded file.
    case recorded
    /// A damaged file, as it was looked at last; the closure keeps it in quarantine first.
    case damaged(keep: () throws -> Void)

    fileprivate var isDamaged: Bool {
      if case .damaged = self { true } else { false }
    }
  }

  /// Makes the live file equal to a version, whose content is durable.
  ///
  /// `within` reaches the folder through a held handle, so that nothing is created if the folder goes
  /// away. The next look finds what a program commits to the new file before this returns. Throws
  /// `StaleLook` if the live file is not the one that was looked at; then nothing was changed.
  func checkOut(
    _ version: Version, over outgoing: Outgoing, through within: FileSystem
  ) throws {
    let staging = AtomicFile.stagingPath(for: paths.database)
    close()
    let expected = outgoing.isDamaged ? seenLast : baseline?.signature
    var own: FileSignature?
    // The outgoing file stays until the swap is recorded, so that the swap can be undone on a full
    // disk.
    var isOutgoingBeside = false
    do {
      let digests = try versions.materialize(version.content, to: staging, through: within)
      own = try files.lstat(staging).signature
      isOutgoingBeside = try takeName(staging, of: outgoing, expected, through: within)
      // A service may have put its own file over ours already.
      guard let own, let file = try? open(), file.signature.isSameFile(as: own) else {
        throw StaleLook()
      }
      if try holds(digests, file, asBuilt: own) {
        try note(version.id, digests)
      } else {
        // Somebody wrote as soon as it had the name; their content is a child of this version.
        try record(Baseline(current: version.id, signature: own, digests: digests))
      }
      // If this fails, the next look finds a known content and removes the file.
      if isOutgoingBeside { try? files.unlink(staging) }
    } catch {
      if isOutgoingBeside, !(error is StaleLook), let own { undoSwap(staging, own) }
      // Remove only our own file. After the swap, the name may hold somebody else's.
      if let status = try? files.lstat(staging), status.signature.inode == own?.inode {
        try? within.unlink(staging)
      }
      throw error
    }
  }

  /// Gives the new file the live name.
  ///
  /// - Returns: Whether the outgoing file is beside it now, and is the one that was captured.
  private func takeName(
    _ staging: FilePath, of outgoing: Outgoing, _ expected: FileSignature?,
    through within: FileSystem
  ) throws -> Bool {
    guard try files.statusIfPresent(paths.database) != nil else {
      try shareWithCompanion(staging)
      try within.renameNew(staging, to: paths.database)
      try within.syncFolder(paths.folder)
      return false
    }
    if case .damaged(let keep) = outgoing {
      try require(expected)
      try keep()
    }
    try keepAttributes(on: staging)
    return try swap(staging, expected, isDamaged: outgoing.isDamaged)
  }

  /// Makes sure that the file that is there is the one that is to be replaced.
  private func require(_ expected: FileSignature?) throws {
    guard try files.lstat(paths.database).signature == expected else { throw StaleLook() }
  }

  /// Whether a file is still as it was built.
  ///
  /// Each commit changes its first block.
  ///
  /// It is closed if not.
  private func holds(_ digests: BlockDigests, _ file: LiveFile, asBuilt own: FileSignature) throws
    -> Bool
  {
    var found = digests
    do {
      try file.connection.withReadLock {
        let content = try LiveContent(file.connection)
        try found.update(size: content.size, changed: [0], read: content.read)
        // The signature shows a write that comes after this.
        if try !file.isUntouched() || file.signature.mtime != own.mtime { found = .none }
      }
    } catch is SQLiteError {
      // A program is in the middle of a commit.
      found = .none
    }
    if found != digests { close() }
    return found == digests
  }

  /// Gives a restored database the owner and permissions of the companion.
  private func shareWithCompanion(_ staging: FilePath) throws {
    let (new, _) = try files.openRegular(staging)
    try files.sharing(as: paths.sharing(files)).share(new, otherwise: 0o600)
  }

  /// Gives the new file the owner, the permissions and the attributes of the old one.
  ///
  /// Opens the live file beside SQLite, which is harmless only because this process has it closed.
  private func keepAttributes(on staging: FilePath) throws {
    let (old, _) = try files.openRegular(paths.database)
    let (new, _) = try files.openRegular(staging)
    try files.copyAttributes(from: old, to: new)
  }

  /// Puts the outgoing file back unless somebody has written into the new one.
  private func undoSwap(_ staging: FilePath, _ own: FileSignature) {
    close()
    guard let found = try? files.lstat(paths.database).signature, found.isSameFile(as: own),
      found.size == own.size, found.mtime == own.mtime
    else { return }
    try? exchange(staging)
  }

  /// Swaps the files.
  ///
  /// - Returns: Whether the outgoing file is the one that was captured; any other is left for the
  ///   next look.
  private func swap(
    _ staging: FilePath, _ expected: FileSignature?, isDamaged: Bool
  ) throws -> Bool {
    defer { closeReplaced() }
    do {
      try open().connection.begin(.exclusive)
    } catch let error as SQLiteError where isDamaged && error.code != .busy {
      // A file that is not a database cannot be locked, and holds nobody's commit.
    }
    try require(expected)
    try exchange(staging)
    try files.syncFolder(paths.folder)
    let outgoing = try files.lstat(staging)
    // The rename itself moves ctime; everything else must be what was captured.
    return expected.map {
      outgoing.inode == $0.inode && outgoing.size == $0.size && outgoing.mtime == $0.mtime
    } ?? false
  }

  /// Puts the staging file under the live name and the live file under the staging name.
  private func exchange(_ staging: FilePath) throws {
    do throws(FileError) {
      try files.exchange(staging, paths.database)
    } catch  where error.isUnsupported {
      let outgoing = AtomicFile.stagingPath(for: paths.database)
      try files.link(paths.database, to: outgoing)
      // A file that takes the name after this has no other name. The linked file stays for the next
      // look.
      let (linked, named) = try (files.lstat(outgoing), files.lstat(paths.database))
      guard linked.isSameFile(as: named) else { throw StaleLook() }
      try files.rename(staging, to: paths.database)
      try files.rename(outgoing, to: staging)
    }
  }
}

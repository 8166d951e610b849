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
extension Store {
  /// Makes the live file equal to a version.
  ///
  /// A damaged outgoing file is quarantined first. The next look finds what a program commits to
  /// the new file before this returns. Throws `LiveFileChanged` if the live file is not the one
  /// that was looked at; then nothing was changed.
  func replaceLive(with version: Version, damage: String? = nil) throws {
    try awaitReaders(of: paths.database)
    let staging = AtomicFile.stagingPath(for: paths.database)
    if damage == nil { try keepOutgoing() }
    try makeDurable(version)
    closeLive()
    let expected = damage != nil ? liveSeen?.signature : record?.signature
    var own: FileSignature?
    // The outgoing file stays until the swap is recorded, so that the swap can be undone on a full
    // disk.
    var isOutgoingBeside = false
    // Work through a held folder handle, so that nothing is created if the folder goes away.
    let within = files.holding(try companion.folderAround())
    do {
      let digests = try versions.materialize(version.content, to: staging, through: within)
      own = try files.lstat(staging).signature
      if try files.statusIfPresent(paths.database) == nil {
        try shareWithCompanion(staging)
        try within.renameNew(staging, to: paths.database)
        try within.syncFolder(paths.folder)
      } else {
        if let damage {
          guard try files.lstat(paths.database).signature == expected else {
            throw LiveFileChanged()
          }
          try keepAside(paths.database, because: damage)
        }
        try keepAttributes(on: staging)
        isOutgoingBeside = try swap(staging, expected, isDamaged: damage != nil)
      }
      // A service may have put its own file over ours already.
      guard let own, let file = try? openLiveFile(), file.signature.isSameFile(as: own) else {
        throw LiveFileChanged()
      }
      if try holds(digests, file, asBuilt: own) {
        try note(version.id, digests)
      } else {
        // Somebody wrote as soon as it had the name; their content is a child of this version.
        try save(Baseline(current: version.id, signature: own, digests: digests))
      }
      // If this fails, the next look finds a known content and removes the file.
      if isOutgoingBeside { try? files.unlink(staging) }
    } catch {
      if isOutgoingBeside, !(error is LiveFileChanged), let own { undoSwap(staging, own) }
      // Remove only our own file. After the swap, the name may hold somebody else's.
      if let status = try? files.lstat(staging), status.signature.inode == own?.inode {
        try? within.unlink(staging)
      }
      throw error
    }
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
    if found != digests { closeLive() }
    return found == digests
  }

  /// Stores the outgoing content in full if its version rests on a content that is not here, as it
  /// would be nowhere else.
  private func keepOutgoing() throws {
    guard let record, try versions.listed().graph.contains(record.current),
      try !versions.isRestorable(record.content)
    else { return }
    try storeInFull(record.current, from: nil)
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
    closeLive()
    guard let live = try? files.lstat(paths.database).signature, live.isSameFile(as: own),
      live.size == own.size, live.mtime == own.mtime
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
    defer { closeLive() }
    do {
      try openLiveFile().connection.begin(.exclusive)
    } catch let error as SQLiteError where isDamaged && error.code != .busy {
      // A file that is not a database cannot be locked, and holds nobody's commit.
    }
    guard try files.lstat(paths.database).signature == expected else { throw LiveFileChanged() }
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
      guard linked.isSameFile(as: named) else { throw LiveFileChanged() }
      try files.rename(staging, to: paths.database)
      try files.rename(outgoing, to: staging)
    }
  }
}

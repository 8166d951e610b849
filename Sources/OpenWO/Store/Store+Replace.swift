import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Swapping the live file for a version's content.
///
/// The new content is built beside, made durable, and takes the name in one step while SQLite's exclusive lock is held on the outgoing file:
/// no commit of another program can fall in between. What comes out of the swap is looked at; anything but the file that was captured stays as
/// a staging file, and the next look captures and judges it like a conflicted copy.
extension Store {
  /// Makes the live file equal to a version.
  ///
  /// An outgoing file that is damaged is quarantined first. What a program commits to the new file before this returns is met by the next
  /// look. `LiveFileChanged` is thrown when the live file is not the one that was looked at: nothing was changed, look again.
  func replaceLive(with version: Version, damage: String? = nil) throws {
    let staging = AtomicFile.stagingPath(for: paths.database)
    if damage == nil { try keepOutgoing() }
    try makeDurable(version)
    closeLive()
    let expected = damage != nil ? liveSeen?.signature : record?.signature
    var own: FileSignature?
    // Until the swap is recorded, the outgoing file stays beside, so that it can be undone without any room on the disk.
    var isOutgoingBeside = false
    // A folder that goes away meanwhile takes the file with it; none is made at the place where it was.
    let within = files.holding(try companion.folderAround())
    do {
      let digests = try materialize(version.content, to: staging, through: within)
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
        // Made from this version, by whoever could write as soon as it had the name.
        try save(LocalRecord(current: version.id, signature: own, digests: digests))
      }
      // If that fails, the next look finds a content that it knows, and removes it.
      if isOutgoingBeside { try? files.unlink(staging) }
    } catch {
      if isOutgoingBeside, !(error is LiveFileChanged), let own { undoSwap(staging, own) }
      // Before the swap it is our own file; after it the name is gone or holds what came out, and that may be somebody's.
      if let status = try? files.lstat(staging), status.signature.inode == own?.inode {
        try? within.unlink(staging)
      }
      throw error
    }
  }

  /// Whether a file still is as it was built; every commit changes its first block.
  ///
  /// It is closed unless that is so.
  private func holds(_ digests: BlockDigests, _ file: LiveFile, asBuilt own: FileSignature) throws
    -> Bool
  {
    var found = digests
    do {
      try file.connection.withReadLock {
        let content = try LiveContent(file.connection)
        try found.update(size: content.size, changed: [0], read: content.read)
        // Whoever writes after this is noticed by the signature.
        if try !file.isUntouched() || file.signature.mtime != own.mtime { found = .none }
      }
    } catch is SQLiteError {
      // A program is in the middle of a commit.
      found = .none
    }
    if found != digests { closeLive() }
    return found == digests
  }

  /// Stores the outgoing content in full where its version is known and rests on what is not here: then it stands nowhere else.
  private func keepOutgoing() throws {
    guard let record, try versions().graph.contains(record.current),
      try !isRestorable(record.content)
    else { return }
    try storeInFull(record.current, from: nil)
  }

  /// Gives a database that was missing to whoever may use the companion.
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
  /// - Returns: Whether what came out is the file that was captured; anything else is left for the next look.
  private func swap(
    _ staging: FilePath, _ expected: FileSignature?, isDamaged: Bool
  ) throws -> Bool {
    defer { closeLive() }
    do {
      try openLiveFile().connection.begin(.exclusive)
    } catch let error as SQLiteError where isDamaged && error.code != .busy {
      // What is no database cannot be opened and locked as one, and holds no commit of anybody.
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
      // What takes the name after that has no other name. What was linked stays, and the next look judges it.
      let (linked, named) = try (files.lstat(outgoing), files.lstat(paths.database))
      guard linked.isSameFile(as: named) else { throw LiveFileChanged() }
      try files.rename(staging, to: paths.database)
      try files.rename(outgoing, to: staging)
    }
  }
}

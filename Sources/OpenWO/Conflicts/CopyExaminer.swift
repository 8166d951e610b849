import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Examines a file that may be a copy of the database, always in a private copy.
///
/// The folder is not trusted. The file is copied from one checked descriptor into the state folder,
/// up to a limit, and opened there read-only with every protection that SQLite has.
struct CopyExaminer: StorePart {
  let store: Store

  /// The largest size of a copy of this database: eight times the live file plus 64 MiB.
  var sizeLimit: Int64 {
    let live = (try? files.lstat(paths.database).size) ?? 0
    return 8 * max(live, workingCopy.baseline?.digests.size ?? 0) + 64 * 1024 * 1024
  }

  /// Reads a file and determines what it is.
  ///
  /// If the name is weak, as people choose such names too, the schema must be the same. Without a
  /// name (`isWeak` is nil), the file is known to be ours.
  func examine(
    _ path: FilePath, _ status: FileStatus, isWeak: Bool?, _ listing: VersionListing
  ) throws -> CopyLedger.Entry {
    var entry = CopyLedger.Entry(signature: status.signature)
    let mayBeAnyones = isWeak == true
    guard status.kind == .regular else {
      return left(entry, Refusal(why: "it is not a regular file", isForeign: true))
    }
    guard status.size >= 512 else {
      let why = status.size == 0 ? "it is empty" : "it is not a database"
      return left(entry, Refusal(why: why, isTorn: true, isForeign: mayBeAnyones))
    }
    guard status.size <= sizeLimit else {
      let why = "it is far larger than the database"
      return left(entry, Refusal(why: why, isForeign: mayBeAnyones))
    }
    try session.awaitReaders(of: path)
    let standing = try hash(FoldedContent(path, files))
    if listing.graph.contains(content: standing) {
      entry.content = standing
      return entry
    }
    let copy = state.scratch.appending("copy-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(copy) }
    do {
      let content = try take(path, copy)
      entry.facts = try check(
        copy, content, isWeak, listing, changedAt: Timestamp(nanoseconds: status.ctime))
      entry.content = content
      return entry
    } catch let refusal as Refusal {
      return left(entry, refusal)
    } catch let error as SQLiteError where !error.isPassing {
      let isForeign = mayBeAnyones && error.code == .notADatabase
      let why = isForeign ? "it is not a database" : error.message
      return left(entry, Refusal(why: why, isTorn: true, isForeign: isForeign))
    }
  }

  /// The entry of a file that cannot be a copy of this database, whatever is beside it; nil if it
  /// may be one.
  func foreign(
    _ path: FilePath, _ status: FileStatus, isWeak: Bool
  ) throws -> CopyLedger.Entry? {
    guard status.kind == .regular, 512...sizeLimit ~= status.size else { return nil }
    let copy = state.scratch.appending("copy-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(copy) }
    try session.awaitReaders(of: path)
    do {
      _ = try take(path, copy)
      let connection = try open(copy)
      defer { connection.close() }
      // Its tables may be beside it only.
      guard try !tables(connection).isEmpty else { return nil }
      try checkKinship(connection, connection.header(), isWeak)
      return nil
    } catch let refusal as Refusal {
      return left(CopyLedger.Entry(signature: status.signature), refusal)
    } catch let error as SQLiteError where !error.isPassing {
      return nil
    }
  }

  /// Opens a private copy with every protection.
  private func open(_ copy: FilePath) throws -> Connection {
    try Connection(path: copy, .ofForeignCopy)
  }

  /// Copies the file and hashes it on the way.
  private func take(_ path: FilePath, _ copy: FilePath) throws -> ContentHash {
    let (source, status) = try files.openRegular(path)
    try AtomicFile.write(to: copy, durable: false, fileSystem: files) { writer in
      try writer.append(contentsOf: source, limit: max(status.size, 512))
    }
    return try hash(FoldedContent(copy, files))
  }

  private func hash(_ content: FoldedContent) throws -> ContentHash {
    try BlockDigests(size: content.size, read: content.read).root
  }

  /// Why a file does not count as a copy.
  private struct Refusal: Error {
    var why: String
    var isTorn = false
    var isForeign = false
  }

  private func check(
    _ copy: FilePath, _ content: ContentHash, _ isWeak: Bool?, _ listing: VersionListing,
    changedAt: Timestamp
  ) throws -> ContentFacts {
    let connection = try open(copy)
    defer { connection.close() }
    let header = try connection.header()
    let size = try connection.fileSize()
    guard header.contentSize(inFileOf: size) <= size else {
      throw Refusal(why: "it is cut", isTorn: true)
    }
    if let isWeak { try checkKinship(connection, header, isWeak) }
    let bytes = try FoldedContent(copy, files)
    if try VersionDetector(store: store).isMix(
      bytes, pageSize: header.pageSize, listing, changedAt: changedAt)
    {
      throw Refusal(why: "it is a mix of several versions", isTorn: true)
    }
    let damage = try connection.withReadLock { try connection.damage(ifDelivered: true) }
    if let damage { throw Refusal(why: damage, isTorn: true) }
    return ContentFacts(
      hash: content, bytes: bytes.size, pageSize: header.pageSize, userVersion: header.userVersion,
      applicationID: header.applicationID)
  }

  /// Checks that it is a copy of this database, and not another database with such a name.
  private func checkKinship(
    _ connection: Connection, _ header: DatabaseHeader, _ isWeak: Bool
  ) throws {
    guard let own = try versions.lastGood(live: workingCopy.current) else { return }
    guard own.applicationID == header.applicationID else {
      throw Refusal(why: "it belongs to another app", isForeign: true)
    }
    guard let copy = try Reading(store: store).lastGoodCopy() else { return }
    defer { copy.close() }
    let (ours, theirs) = (try tables(copy), try tables(connection))
    guard ours == theirs || !isWeak && !ours.isDisjoint(with: theirs) else {
      throw Refusal(why: "it has other tables", isForeign: true)
    }
  }

  private func tables(_ connection: Connection) throws -> Set<String> {
    Set(try connection.tableNames())
  }

  private func left(_ entry: CopyLedger.Entry, _ refusal: Refusal) -> CopyLedger.Entry {
    var entry = entry
    (entry.problem, entry.isTorn) = (refusal.why, refusal.isTorn)
    entry.isForeign = refusal.isForeign
    return entry
  }
}

import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The files that could not become versions: kept in the state folder, listed, never published and never checked out.
///
/// Beside each one is a note about it. A file is kept as it was, under a name made from its content, so that one content is kept once.
struct Quarantine {
  let state: StatePaths
  let files: FileSystem
  let now: Timestamp

  /// The largest number of files that are kept.
  private static var most: Int { 20 }
  /// How long a file is kept after somebody has looked at it, in milliseconds.
  private static var month: Int64 { 30 * 24 * 3_600_000 }
  /// Room that there is however small the database is, in bytes.
  private static var leastRoom: Int64 { 4 * 1024 * 1024 }
  private static var word: String { "damaged-" }

  /// The path of a kept file.
  func path(of file: QuarantinedFile) -> FilePath { state.quarantine.appending(file.id) }

  /// Keeps a copy of a file, then makes room: the oldest go, beyond 20 and beyond twice the bytes of the database.
  func keep(
    _ path: FilePath, because why: String, databaseBytes: Int64
  ) throws -> QuarantinedFile {
    let (source, status) = try files.openRegular(path)
    let size = StatePaths.keptSize(of: status)
    let content = FileContent(source, from: 0, size: size, fileSystem: files)
    let hash = try BlockDigests(size: size, read: content.read).root
    let file = QuarantinedFile(
      id: Self.word + hash.description.prefix(12), at: now, bytes: status.size, why: why,
      looksEncrypted: try Noise.fills(content), isSeen: false)
    try files.makeDirectories(state.quarantine)
    if try files.statusIfPresent(self.path(of: file))?.size != size {
      try AtomicFile.write(to: self.path(of: file), fileSystem: files) { writer in
        try content.forEachPiece { try writer.append($0) }
      }
    }
    try CompanionFile.write(file, to: note(file.id), files)
    try? makeRoom(2 * databaseBytes)
    return file
  }

  /// The files, the newest first.
  func list() throws -> [QuarantinedFile] {
    guard try files.statusIfPresent(state.quarantine) != nil else { return [] }
    return try files.list(state.quarantine) { $0.string.hasPrefix(Self.word) }
      .compactMap { try read($0.string) }
      .sorted { ($1.at, $0.id) < ($0.at, $1.id) }
  }

  /// The file that a word means: its name, the beginning of that, or of the digits in it.
  func named(_ word: String, among all: [QuarantinedFile]) -> [QuarantinedFile] {
    if let exact = all.first(where: { $0.id == word }) { return [exact] }
    return all.filter {
      !word.isEmpty && ($0.id.hasPrefix(word) || $0.id.hasPrefix(Self.word + word))
    }
  }

  /// Records that the user has seen them; if the disk cannot be written, they are reported again.
  func markSeen(_ seen: [QuarantinedFile]) {
    for var file in seen where !file.isSeen {
      file.isSeen = true
      try? CompanionFile.write(file, to: note(file.id), durable: false, files)
    }
  }

  private func note(_ id: String) -> FilePath { state.quarantine.appending("note-\(id).json") }

  /// A file and its note; earlier openwos wrote none.
  private func read(_ id: String) throws -> QuarantinedFile? {
    guard let status = try files.statusIfPresent(state.quarantine.appending(id)),
      status.kind == .regular
    else { return nil }
    if let known = try? CompanionFile.read(QuarantinedFile.self, at: note(id), files),
      known.id == id
    {
      return known
    }
    return QuarantinedFile(
      id: id, at: Timestamp(nanoseconds: status.mtime), bytes: status.size,
      why: "it was kept before reasons were noted", looksEncrypted: false, isSeen: true)
  }

  private func makeRoom(_ room: Int64) throws {
    var (count, bytes) = (0, Int64(0))
    for file in try list() {
      (count, bytes) = (count + 1, bytes + file.bytes)
      let isOld = file.isSeen && now.milliseconds.minus(file.at.milliseconds) > Self.month
      let isBeyond = count > Self.most || bytes > max(room, Self.leastRoom)
      guard count > 1, isOld || isBeyond else { continue }
      try files.unlink(path(of: file))
      try? files.unlink(note(file.id))
    }
  }
}

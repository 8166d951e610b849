import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The last heads of this device, kept in the state folder with all of their bases.
///
/// A person or a service may restore the whole folder to an older state; versions that vanish with
/// that are nowhere else.
struct KeptHeads {
  /// So many heads are kept.
  static let count = 10
  /// The list of heads is short: this many bytes are never exceeded by one that we wrote.
  private static let limit = 4096

  let folder: FilePath
  let files: FileSystem

  private var list: FilePath { folder.appending("heads") }

  /// The heads, the oldest first; none if the list cannot be read.
  func heads() throws -> [VersionID] {
    guard try files.statusIfPresent(list) != nil else { return [] }
    let text = String(decoding: try files.readSmall(list, limit: Self.limit), as: UTF8.self)
    return text.split(separator: "\n").compactMap { VersionID(String($0)) }
  }

  /// The kept files.
  func stored() throws -> [StoredVersion] {
    guard try files.statusIfPresent(folder) != nil else { return [] }
    return try Archive(folders: [folder], fileSystem: files).scan().stored
  }

  /// Whether a version can be put together from the kept files alone.
  func isWhole(_ version: Version) -> Bool {
    let archive = Archive(folders: [folder], fileSystem: files)
    return (try? archive.check(version.content, in: archive.scan())) != nil
  }

  /// Keeps a head with the files that it rests on, and removes those that none of the last heads needs.
  func keep(_ head: StoredVersion, restingOn chain: [StoredVersion]) throws {
    try files.makeDirectories(folder)
    var known = try heads()
    known.removeAll { $0 == head.version.id }
    let all = Array((known + [head.version.id]).suffix(Self.count))
    for file in [head] + chain {
      let path = folder.appending(file.fileName)
      guard try files.statusIfPresent(path) == nil else { continue }
      try AtomicFile.copy(file.path, to: path, durable: false, fileSystem: files)
    }
    let text = all.map { "\($0)\n" }.joined()
    try AtomicFile.write(Array(text.utf8), to: list, durable: false, fileSystem: files)
    // Not with every head: each look at them costs as much as all of them.
    if try files.list(folder).count > 4 * Self.count { try removeUnneeded(by: Set(all)) }
  }

  private func removeUnneeded(by heads: Set<VersionID>) throws {
    let listing = try Archive(folders: [folder], fileSystem: files).scan()
    let kept = listing.stored.filter { heads.contains($0.version.id) }
    let needed = kept.reduce(into: Set(kept.map(\.path))) { paths, file in
      paths.formUnion(((try? listing.chain(file.version.content)) ?? []).map(\.path))
    }
    for file in listing.stored where !needed.contains(file.path) { try files.unlink(file.path) }
  }
}

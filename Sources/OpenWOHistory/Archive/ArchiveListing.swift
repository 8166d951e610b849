package import OpenWOFiles
import SystemPackage

/// The content of the archive, as one scan found it.
package struct ArchiveListing: Sendable {
  /// All version files that can be used, by folder and time; a version can be in several.
  package internal(set) var stored: [StoredVersion]
  /// The files that are not used, sorted by path.
  package let problems: [ArchiveProblem]

  /// Versions that are gone but known, from lists of pruned versions and from earlier scans.
  package let pruned: ArraySlice<Version>
  /// The versions in the lists of pruned versions.
  let listed: Set<VersionID>

  /// Files whose header is right and whose content is not, as they looked when that was found; nothing is read from them.
  let damaged: [FilePath: FileSignature]

  /// A file that was read and is not what its name says.
  struct Refused {
    let signature: FileSignature
    let error: HistoryError
  }
  /// Files that are not read again as long as they look as they did when they were refused.
  let refused: [FilePath: Refused]

  let folders: [FilePath]
  /// The files that were read, by folder and file name.
  var files: [FilePath: [String: ArchiveFile]]
  /// For each content the file to read it from, and how many others that one rests on.
  var sources: [ContentHash: (stored: StoredVersion, depth: Int)]

  /// The most payloads that are read one upon the other.
  package static let chainLimit = 256

  /// The most versions that are remembered after their files are gone.
  private static let pruneLimit = 65_536

  init(
    folders: [FilePath], files: [FilePath: [String: ArchiveFile]], problems: [ArchiveProblem],
    damaged: [FilePath: FileSignature] = [:], refused: [FilePath: Refused] = [:],
    remembering earlier: some Sequence<Version>
  ) {
    var stored: [StoredVersion] = []
    var pruned = Set(earlier)
    var listed: Set<VersionID> = []
    for folder in folders {
      var found: [StoredVersion] = []
      found.reserveCapacity(files[folder]?.count ?? 0)
      for file in (files[folder] ?? [:]).values {
        switch file {
        case .version(let version): found.append(version)
        case .pruned(let list):
          pruned.formUnion(list.versions)
          listed.formUnion(list.versions.lazy.map(\.id))
        }
      }
      stored += StoredVersion.sorted(found)
    }
    let sources = Self.sources(stored, without: damaged)
    for version in pruned.isEmpty ? [] : stored.map(\.version)
    where !listed.contains(version.id) || sources[version.content] != nil {
      pruned.remove(version)
    }
    (self.stored, self.folders, self.files, self.damaged) = (stored, folders, files, damaged)
    self.refused = refused
    (self.sources, self.listed) = (sources, listed)
    self.pruned = pruned.sorted { $1.loses(to: $0) }.prefix(Self.pruneLimit)
    self.problems = problems.sorted { $0.path.string < $1.path.string }
  }

  /// The same listing with other problems.
  init(
    _ other: ArchiveListing, _ problems: [ArchiveProblem], _ refused: [FilePath: Refused]
  ) {
    (folders, files, stored) = (other.folders, other.files, other.stored)
    (pruned, listed, sources) = (other.pruned, other.listed, other.sources)
    (damaged, self.refused) = (other.damaged, refused)
    self.problems = problems.sorted { $0.path.string < $1.path.string }
  }

  /// The part of one of the folders.
  func only(_ folder: FilePath) -> ArchiveListing {
    ArchiveListing(
      folders: [folder], files: files.filter { $0.key == folder }, problems: [], damaged: damaged,
      refused: refused, remembering: pruned)
  }

  /// An archive in which there is nothing.
  package static let empty = ArchiveListing(
    folders: [], files: [:], problems: [], remembering: [])

  /// The versions that have a file, each once, in no order; without files that pruning left and
  /// that are useless alone.
  package var versions: [Version] { Array(Set(living)) }

  /// The graph of all versions, with those that are known although their files were removed.
  package var graph: VersionGraph { VersionGraph(living, pruned: Array(pruned)) }

  private var living: [Version] {
    stored.map(\.version).filter { !listed.contains($0.id) || holds($0.content) }
  }

  /// Whether the content can be read.
  package func holds(_ content: ContentHash) -> Bool { sources[content] != nil }

  /// The versions that are accounted for: they have a file, or a list says that they were pruned.
  ///
  /// A missing file that an earlier scan saw may come back.
  package var accounted: Set<VersionID> { listed.union(stored.lazy.map(\.version.id)) }

  /// Why a file could not be read that may be readable the next time: nobody knows which version it
  /// is; nil if there is none.
  package var unread: FileError? {
    problems.lazy.compactMap { problem in
      if case .unreadable(let error) = problem.reason, error.isTransient { error } else { nil }
    }.first
  }

  /// Whether another version is stored upon the content of this one.
  package func isBase(_ version: Version) -> Bool {
    stored.contains { $0.base == version.content && $0.version.id != version.id }
  }

  /// How many contents can be read.
  package var heldCount: Int { sources.count }

  /// The files that make up a content: first the one that holds it, last a full payload.
  ///
  /// - Throws: ``HistoryError/missing(_:)``, naming the content that is missing, or
  ///   ``HistoryError/endlessChain(_:)``.
  package func chain(_ content: ContentHash) throws(HistoryError) -> [StoredVersion] {
    guard sources[content] != nil else { throw whyMissing(content) }
    var chain: [StoredVersion] = []
    var next: ContentHash? = content
    while let wanted = next, let source = sources[wanted] {
      chain.append(source.stored)
      next = source.stored.base
    }
    return chain
  }

  /// The files on which one version's content is based, beginning with its own file if that holds
  /// any content.
  ///
  /// - Throws: As ``chain(_:)``.
  func chain(of stored: StoredVersion) throws(HistoryError) -> [StoredVersion] {
    if stored.payload == .same || damaged[stored.path] != nil {
      return try chain(stored.version.content)
    }
    guard let base = stored.base else { return [stored] }
    return try [stored] + chain(base)
  }

  /// The files that are there of a chain that lacks some.
  func brokenChain(_ start: StoredVersion) -> [StoredVersion] {
    var found = [start]
    while found.count <= Self.chainLimit, let base = found.last?.base,
      let next = stored.first(where: { $0.version.content == base && $0.payload != .same })
    {
      found.append(next)
    }
    return found
  }

  /// The content that a broken chain lacks.
  private func whyMissing(_ content: ContentHash) -> HistoryError {
    var bases: [ContentHash: ContentHash] = [:]
    for case let stored in stored where stored.payload.kind == .pages {
      bases[stored.version.content] = stored.base
    }
    var (wanted, steps) = (content, 0)
    while let base = bases[wanted], sources[base] == nil, steps <= Self.chainLimit {
      (wanted, steps) = (base, steps + 1)
    }
    if let base = bases[wanted], steps > Self.chainLimit || sources[base] != nil {
      return .endlessChain(content)
    }
    return .missing(wanted)
  }

  /// Goes up from the full payloads, so every content gets its shortest chain, and circles are never entered.
  static func sources(
    _ all: [StoredVersion], without damaged: [FilePath: FileSignature]
  ) -> [ContentHash: (stored: StoredVersion, depth: Int)] {
    var sources: [ContentHash: (stored: StoredVersion, depth: Int)] = [:]
    // For each content the first file that rests on it, and for each file the next one.
    var resting: [ContentHash: Int] = [:]
    var reached: [ContentHash] = []
    sources.reserveCapacity(all.count)
    resting.reserveCapacity(all.count)
    let stored = damaged.isEmpty ? all : all.filter { damaged[$0.path] == nil }
    var following = [Int?](repeating: nil, count: stored.count)
    for (place, file) in stored.enumerated().reversed() {
      guard case .pages(let base) = file.payload else { continue }
      following[place] = resting.updateValue(place, forKey: base)
    }
    for file in stored where file.payload == .full && sources[file.version.content] == nil {
      sources[file.version.content] = (file, 0)
      reached.append(file.version.content)
    }
    var next = 0
    while next < reached.count {
      let base = reached[next]
      next += 1
      guard let depth = sources[base]?.depth, depth + 1 < chainLimit else { continue }
      var place = resting[base]
      while let found = place {
        place = following[found]
        let file = stored[found]
        guard sources[file.version.content] == nil else { continue }
        sources[file.version.content] = (file, depth + 1)
        reached.append(file.version.content)
      }
    }
    return sources
  }
}

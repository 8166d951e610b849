package import SystemPackage

/// Follows what this device itself writes and removes, without scanning the folders again.
///
/// It finds every content that a scan would find, perhaps through a longer chain. A removed version
/// is not remembered, since nobody else has seen it.
extension ArchiveListing {
  /// Adds a file that was just written; `fromElsewhere` permits one in a folder that no scan reads.
  package mutating func insert(_ file: StoredVersion, fromElsewhere: Bool = false) {
    guard files[file.folder]?[file.fileName] == nil,
      fromElsewhere || folders.contains(file.folder)
    else { return }
    files[file.folder, default: [:]][file.fileName] = .version(file)
    stored.insert(file, at: place(of: file))
    let content = file.version.content
    // Versions that waited for this content can be read now; that needs a new scan.
    if stored.contains(where: { $0.base == content && sources[$0.version.content] == nil }) {
      sources = Self.sources(stored, without: damaged)
      return
    }
    guard sources[content].map({ $0.depth > 0 }) ?? true else { return }
    switch file.payload {
    case .same: break
    case .full:
      if sources[content] == nil {
        sources[content] = (file, 0)
      } else {
        sources = Self.sources(stored, without: damaged)
      }
    case .pages(let base):
      guard sources[content] == nil, let depth = sources[base]?.depth, depth + 1 < Self.chainLimit
      else { return }
      sources[content] = (file, depth + 1)
    }
  }

  /// Drops a file that was just removed.
  package mutating func remove(_ file: StoredVersion) {
    guard files[file.folder]?.removeValue(forKey: file.fileName) != nil else { return }
    stored.removeAll { $0 == file }
    let content = file.version.content
    guard sources[content]?.stored == file else { return }
    if stored.contains(where: { $0.base == content || $0.version.content == content }) {
      sources = Self.sources(stored, without: damaged)
    } else {
      sources[content] = nil
    }
  }

  /// Whether these are the names of all files that are known in a folder.
  package func knowsExactly(_ names: [FilePath.Component], in folder: FilePath) -> Bool {
    let known = files[folder] ?? [:]
    return names.count == known.count && names.allSatisfy { known[$0.string] != nil }
  }

  /// The place of a file among those of its folder, and of its folder among the others.
  private func place(of file: StoredVersion) -> Int {
    let rank = folders.firstIndex(of: file.folder) ?? folders.count
    return stored.firstIndex { other in
      if other.folder == file.folder { return file.isBefore(other) }
      return (folders.firstIndex(of: other.folder) ?? folders.count) > rank
    } ?? stored.count
  }
}

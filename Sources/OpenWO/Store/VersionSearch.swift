import OpenWOHistory

/// Finding the version that a person names.
struct VersionSearch: StorePart {
  let store: Store

  /// The version that a name means; it is published, so that no later write takes its place.
  ///
  /// - Throws: `noSuchVersion` when there is none, or more than one; the message says which.
  func published(_ text: String, in zone: LocalZone) throws -> Version {
    let found = try look(for: text, in: zone)
    if try !versions.listed().pending.contains(found.id) { return found }
    return try kept(text, zone)
  }

  /// The version that a name means, as long as no later write takes its place; nothing is written.
  ///
  /// - Throws: `noSuchVersion` when there is none, or more than one.
  func look(for text: String, in zone: LocalZone) throws -> Version {
    try store.catchUp()
    if let id = try Pins(store: store).named()[text], let named = try versions.listed().graph[id] {
      return named
    }
    return try version(text, zone)
  }

  private func kept(_ text: String, _ zone: LocalZone) throws -> Version {
    // Another process may be writing, and replace it by its next version meanwhile.
    try store.asWriter {
      let found = try version(text, zone)
      _ = try publishing.runWithoutPruning()
      return found
    }
  }

  private func version(_ text: String, _ zone: LocalZone) throws -> Version {
    guard let name = VersionName(text, now: now, zone: zone) else {
      throw StoreError.noVersionName(text, paths)
    }
    let graph = try versions.listed().graph
    let line = graph.line(upTo: workingCopy.current)
    switch name {
    case .prefix(let prefix):
      let found = graph.newestFirst.filter { $0.id.description.hasPrefix(prefix) }
      guard found.count == 1 else { throw StoreError.noVersion(beginning: prefix, found, paths) }
      return found[0]
    case .before(let count):
      guard count < line.count else { throw StoreError.noVersion(before: line.count, paths) }
      return line[count]
    case .at(let moment):
      guard let found = line.first(where: { $0.madeAt <= moment }) else {
        throw StoreError.noVersion(at: moment, oldest: line.last, paths)
      }
      return found
    }
  }
}

extension VersionGraph {
  /// The live version and those before it, newest first; at a fork, the one that was live comes
  /// first.
  fileprivate func line(upTo live: VersionID?) -> [Version] {
    guard let current = live ?? newestHead?.id else { return [] }
    let before = ancestors(of: current)
    return newestFirst.filter { $0.id == current || before.contains($0.id) }
  }
}

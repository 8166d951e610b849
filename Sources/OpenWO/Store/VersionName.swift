import OpenWOHistory

/// A person's name for a version: the beginning of its id, `@` for the live one, `@~2` for two
/// before, or a time.
enum VersionName: Sendable, Hashable {
  case prefix(String)
  case before(Int)
  case at(Timestamp)

  /// Reads a name; nil if it is none of these.
  ///
  /// A time without an offset is meant in the person's zone.
  init?(_ text: String, now: Timestamp, zone: LocalZone = .fixed(0)) {
    if text == "@" {
      self = .before(0)
    } else if text.hasPrefix("@~"), let count = Int(text.dropFirst(2)), count >= 0 {
      self = .before(count)
    } else if let moment = SpokenMoment(now: now, zone: zone).read(text) {
      self = .at(moment)
    } else if (4...64).contains(text.utf8.count), text.utf8.allSatisfy(VersionName.isHex) {
      self = .prefix(text.lowercased())
    } else {
      return nil
    }
  }

  static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}

extension Store {
  /// The version that a name means; it is published, so that no later write takes its place.
  ///
  /// - Throws: `noSuchVersion` when there is none, or more than one; the message says which.
  func version(named text: String, in zone: LocalZone) throws -> Version {
    let found = try version(toLookAt: text, in: zone)
    if try !versions.listed().pending.contains(found.id) { return found }
    return try kept(text, zone)
  }

  /// The version that a name means, as long as no later write takes its place; nothing is written.
  ///
  /// - Throws: `noSuchVersion` when there is none, or more than one.
  func version(toLookAt text: String, in zone: LocalZone) throws -> Version {
    try catchUp()
    if let id = try Pins(store: self).named()[text], let named = try versions.listed().graph[id] {
      return named
    }
    return try version(text, zone)
  }

  private func kept(_ text: String, _ zone: LocalZone) throws -> Version {
    // Another process may be writing, and replace it by its next version meanwhile.
    try asWriter {
      let found = try version(text, zone)
      _ = try publishWaiting()
      return found
    }
  }

  private func version(_ text: String, _ zone: LocalZone) throws -> Version {
    guard let name = VersionName(text, now: now, zone: zone) else {
      throw StoreError.noVersionName(text, paths)
    }
    let graph = try versions.listed().graph
    let line = line(graph)
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

  /// The live version and those before it, newest first; at a fork, the one that was live comes
  /// first.
  private func line(_ graph: VersionGraph) -> [Version] {
    guard let current = workingCopy.current ?? graph.newestHead?.id else { return [] }
    let before = graph.ancestors(of: current)
    return graph.newestFirst.filter { $0.id == current || before.contains($0.id) }
  }
}

import OpenWOHistory

/// What people call a version: an id's beginning, `@` for the live one, `@~2` for two before, or a time.
enum VersionName: Sendable, Hashable {
  case prefix(String)
  case before(Int)
  case at(Timestamp)

  /// Reads a name; nil when it is none of these.
  ///
  /// A time without a zone is meant so many minutes east of UTC.
  init?(_ text: String, now: Timestamp, minutesEast offset: Int64 = 0) {
    if text == "@" {
      self = .before(0)
    } else if text.hasPrefix("@~"), let count = Int(text.dropFirst(2)), count >= 0 {
      self = .before(count)
    } else if let moment = SpokenMoment(now: now, offset: offset).read(text) {
      self = .at(moment)
    } else if (4...64).contains(text.utf8.count), text.utf8.allSatisfy(VersionName.isHex) {
      self = .prefix(text)
    } else {
      return nil
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}

extension Store {
  /// The version that a name means; it is published, so that no later write takes its place.
  ///
  /// - Throws: `noSuchVersion` when there is none, or more than one.
  func version(named text: String, minutesEast: Int64) throws -> Version {
    let found = try version(toLookAt: text, minutesEast: minutesEast)
    if try !versions().pending.contains(found.id) { return found }
    return try kept(text, minutesEast)
  }

  /// The version that a name means, as long as no later write takes its place; nothing is written.
  ///
  /// - Throws: `noSuchVersion` when there is none, or more than one.
  func version(toLookAt text: String, minutesEast: Int64) throws -> Version {
    try catchUp()
    if let id = try pins()[text], let named = try versions().graph[id] { return named }
    guard let name = VersionName(text, now: now, minutesEast: minutesEast),
      let found = try version(name)
    else { throw StoreError.noSuchVersion(text, paths) }
    return found
  }

  private func kept(_ text: String, _ minutesEast: Int64) throws -> Version {
    guard let name = VersionName(text, now: now, minutesEast: minutesEast) else {
      throw StoreError.noSuchVersion(text, paths)
    }
    // Another process may be writing, and fold it into its next version meanwhile.
    let found = try asWriter {
      let found = try version(name)
      if found != nil { _ = try publishWaiting() }
      return found
    }
    guard let found else { throw StoreError.noSuchVersion(text, paths) }
    return found
  }

  private func version(_ name: VersionName) throws -> Version? {
    let graph = try versions().graph
    switch name {
    case .prefix(let prefix):
      let found = graph.versions.filter { $0.id.description.hasPrefix(prefix) }
      return found.count == 1 ? found[0] : nil
    case .before(let count): return line(graph).dropFirst(count).first
    case .at(let moment): return line(graph).first { $0.madeAt <= moment }
    }
  }

  /// The live version and those before it, newest first: at a fork the one that was live goes first.
  private func line(_ graph: VersionGraph) -> [Version] {
    guard let current = record?.current ?? graph.newestHead?.id else { return [] }
    let before = graph.ancestors(of: current)
    return graph.newestFirst.filter { $0.id == current || before.contains($0.id) }
  }
}

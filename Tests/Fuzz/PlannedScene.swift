import OpenWO
import OpenWOHistory
import SystemPackage

/// A sighting made of an input, and what comes of it when plans are carried out.
struct PlannedScene {
  private static let start: Int64 = 1_790_000_000_000

  var seen: Sighting
  var policy = Policy()
  private var versions: [Version] = []
  private var pruned: [Version] = []
  /// Versions whose own file does not give their content.
  private var empty: Set<VersionID> = []
  private var merges = 0
  /// The version from which an unknown live file was made.
  private var base: VersionID?

  init(_ reader: inout InputReader) throws {
    let now = Timestamp(milliseconds: Self.start)
    seen = Sighting(
      device: "here", now: now, live: .missing(since: now), graph: VersionGraph([]))
    policy.settling = reader.chance(128) ? .merge : .lastWriterWins
    policy.othersTime = reader.chance(128) ? 60_000 : 0
    for _ in 0..<reader.choice(25) { try addVersion(&reader) }
    rebuild()
    live(&reader)
    try addCopies(&reader)
    seen.isAlone = reader.chance(64)
    seen.isSameFile = reader.chance(128)
    seen.hasPending = reader.chance(32)
    seen.current = reader.chance(160) ? anyID(&reader) : nil
    base = reader.chance(96) ? anyID(&reader) : nil
    if reader.chance(24) { addLock(&reader) }
  }

  /// The same sighting with its lists in another order.
  var turned: Sighting {
    var turned = seen
    turned.graph = VersionGraph(versions.reversed(), pruned: pruned.reversed())
    return turned
  }

  private static func content(_ number: Int) -> ContentHash { ContentHash(of: [UInt8(number)]) }

  private static func facts(_ content: ContentHash) -> ContentFacts {
    ContentFacts(hash: content, bytes: 4096, pageSize: 4096, userVersion: 0, applicationID: 0)
  }

  private func moment(_ reader: inout InputReader) -> Timestamp {
    // Mostly in the past, some seconds in the future, rarely years.
    let seconds = reader.chance(8) ? 1_000_000_000 : Int64(reader.choice(256)) * 8 - 1980
    return Timestamp(milliseconds: Self.start + seconds * 1000)
  }

  private mutating func addVersion(_ reader: inout InputReader) throws {
    let all = versions + pruned
    var parents: Set<VersionID> = []
    for _ in 0..<reader.choice(4) {
      if !all.isEmpty { parents.insert(all[reader.choice(all.count)].id) }
    }
    if reader.chance(16) { parents.insert(VersionID(Digest(hashing: [reader.byte()]))) }
    let devices = ["here", "there", "third", Version.settleDevice, Version.mergeDevice]
    let device = devices[reader.choice(devices.count)]
    let reasons: [VersionReason] = [.write, .external, .settle, .merge, .edit, .restore]
    let version = try Version(
      facts: Self.facts(Self.content(reader.choice(8))), parents: parents, device: device,
      deviceName: device, at: HybridTime(milliseconds: moment(&reader).milliseconds),
      reason: reasons[reader.choice(reasons.count)], note: reader.chance(32) ? "a note" : nil,
      members: reader.chance(24) ? [Version.aside] : [])
    if reader.chance(24) { pruned.append(version) } else { versions.append(version) }
    if reader.chance(48) { empty.insert(version.id) }
    if reader.chance(224) { seen.arrivals[version.id] = moment(&reader) }
  }

  private mutating func rebuild() {
    seen.graph = VersionGraph(versions, pruned: pruned)
    // A content is here for all versions that have it, or for none; a pruned one has no file of its own.
    let held = Set(versions.filter { !empty.contains($0.id) }.map(\.content))
    seen.incomplete = Set(seen.graph.versions.filter { !held.contains($0.content) }.map(\.id))
  }

  private func anyID(_ reader: inout InputReader) -> VersionID? {
    reader.chance(16) || versions.isEmpty
      ? VersionID(Digest(hashing: [reader.byte()])) : versions[reader.choice(versions.count)].id
  }

  private mutating func live(_ reader: inout InputReader) {
    let since = moment(&reader)
    switch reader.choice(8) {
    case 0: seen.live = .missing(since: since)
    case 1: seen.live = .writeAheadLog(changedAt: since)
    case 2: seen.live = .doubtful("torn", changedAt: since)
    default: seen.live = .whole(Self.content(reader.choice(12)), changedAt: since)
    }
  }

  private mutating func addCopies(_ reader: inout InputReader) throws {
    for number in 0..<reader.choice(5) {
      guard let name = FilePath.Component("copy-\(number)") else { continue }
      let origins: [Sighting.Origin] = [
        .staging, .service, .perhapsService, .perhapsPerson, .unremovable,
      ]
      let copy = Sighting.Copy(
        file: FileName(name), content: reader.chance(192) ? Self.content(reader.choice(16)) : nil,
        changedAt: moment(&reader), modifiedAt: moment(&reader),
        origin: origins[reader.choice(origins.count)])
      seen.copies.append(copy)
    }
  }

  private mutating func addLock(_ reader: inout InputReader) {
    let lock = StoreLock(
      id: "7f3a19c2", device: "there", deviceName: "there", user: "ann", host: "mac",
      program: "sqlite3", since: seen.now, until: nil)
    seen.lock = .init(lock: lock, isOurs: reader.chance(96), isAcknowledged: reader.chance(96))
  }
}

/// The invariants of single steps and of the end.
extension PlannedScene {
  /// All contents that can be had: from versions, the live file and copies.
  var wholeContents: Set<ContentHash> {
    var contents = Set(versions.filter { !seen.incomplete.contains($0.id) }.map(\.content))
    if case .whole(let content, _) = seen.live { contents.insert(content) }
    return contents.union(seen.copies.compactMap(\.content))
  }

  private func holds(_ content: ContentHash) -> Bool {
    versions.contains { $0.content == content && !seen.incomplete.contains($0.id) }
  }

  private func isStored(_ id: VersionID) -> Bool { versions.contains { $0.id == id } }

  private func copy(_ file: FileName) -> Sighting.Copy? { seen.copies.first { $0.file == file } }

  func check(_ action: Action) {
    switch action {
    case .adopt(let id), .repair(let id, _):
      expect(isStored(id) && !seen.incomplete.contains(id), "what is adopted is there")
      if case .whole(let content, _) = seen.live {
        expect(holds(content), "what is overwritten was captured")
      }
    case .remove(let file):
      expect(copy(file)?.content.map(holds) ?? false, "what is removed is a version")
      expect(copy(file)?.origin != .unremovable, "what cannot be removed stays")
    case .setAside(let file):
      expect(copy(file)?.origin == .staging, "only our own file is moved away")
    case .captureCopy(let file), .captureAside(let file):
      expect(copy(file)?.content.map { !holds($0) } ?? false, "a copy that is captured is new")
    case .captureLive(let reason):
      guard case .whole(let content, _) = seen.live else { fatalError("a whole file is captured") }
      expect(
        (reason == .restore)
          == seen.graph.versions.contains { $0.content == content && !$0.isAside },
        "what is captured is new, or somebody put it back")
    case .settle(let heads, let winner, _):
      expect(heads.count > 1 && heads.contains(winner), "the winner is one of several")
      // Behind a head whose content never came, those that it was made from are heads.
      let graph = seen.graph.withoutHeads { id in
        seen.incomplete.contains(id) || seen.graph[id].map(seen.graph.isAside) ?? false
      }
      expect(
        heads.allSatisfy { graph.isHead($0) && !seen.incomplete.contains($0) },
        "heads that are settled are heads")
    case .merge(let heads):
      expect(heads.count > 1, "several heads are merged")
    case .wait(let until, _):
      expect(until > seen.now, "what is waited for is to come")
    case .note(let id):
      expect(seen.graph.contains(id), "what is noted is known")
    case .store(let id, _):
      expect(seen.graph.contains(id), "what is stored is known")
    case .join(let parents):
      expect(parents.count > 1, "several versions are joined")
    case .putBack(let ids):
      expect(ids == seen.vanished?.versions, "what is put back has vanished")
    case .publish, .acknowledge, .fold, .keepStore, .removeStray: break
    }
  }

  /// After the last plan one head is left and the live file is equal to it.
  func checkQuiet() {
    if case .unreadable = seen.live { return }
    let heads = seen.graph.effectiveHeads(without: seen.incomplete.contains)
    expect(heads.count <= 1, "there is one head")
    guard let head = heads.first else { return }
    guard case .whole(let content, _) = seen.live else { fatalError("the live file is whole") }
    expect(content == head.version.content, "the live file is equal to the head")
  }
}

/// Carrying plans out.
extension PlannedScene {
  /// Takes the steps that can be taken now; if all wait, the clock advances to the first that is
  /// due.
  mutating func carryOut(_ plan: [Action]) throws {
    let dues = plan.compactMap(\.dueAt)
    if dues.count == plan.count, let next = dues.min() {
      seen.now = next
      return
    }
    for action in plan { try carryOut(action) }
    rebuild()
  }

  private mutating func add(
    _ content: ContentHash, _ parents: [VersionID], _ reason: VersionReason,
    _ members: [JSONMember] = []
  ) throws -> VersionID {
    let stamp = HybridTime.next(after: versions.map(\.at), now: seen.now.milliseconds)
    let version = try Version(
      facts: Self.facts(content), parents: parents, device: seen.device, deviceName: seen.device,
      at: stamp, reason: reason, members: members)
    versions.append(version)
    seen.arrivals[version.id] = seen.now
    return version.id
  }

  private mutating func carryOut(_ action: Action) throws {
    switch action {
    case .publish: seen.hasPending = false
    case .acknowledge, .wait: break
    case .fold: seen.live = .whole(Self.content(20), changedAt: seen.now)
    case .captureLive(let reason):
      guard case .whole(let content, _) = seen.live else { fatalError("a whole file is captured") }
      let made = reason == .restore ? seen.current : base
      seen.current = try add(content, made.map { seen.graph.family(of: $0) } ?? [], reason)
      seen.isSameFile = true
    case .captureCopy(let file), .captureAside(let file):
      guard let content = copy(file)?.content else { fatalError("a whole copy is captured") }
      let isAside = if case .captureAside = action { true } else { false }
      _ = try add(content, [], .external, isAside ? [Version.aside] : [])
    case .store(let id, _): store(id)
    case .note(let id): seen.current = id
    case .settle(let heads, let winner, _):
      let parents = heads.compactMap { seen.graph[$0] }
      let settled = try Version.settle(
        parents: parents, candidates: parents.filter { $0.id == winner })
      versions.append(settled)
      seen.arrivals[settled.id] = seen.now
    case .putBack: seen.vanished = nil
    case .keepStore, .removeStray: break
    case .merge(let heads), .join(let heads):
      merges += 1
      let merged = try Version.merge(
        parents: heads.compactMap { seen.graph[$0] },
        facts: Self.facts(ContentHash(of: Array("merge \(merges)".utf8))))
      versions.append(merged)
      seen.arrivals[merged.id] = seen.now
    case .adopt(let id), .repair(let id, _):
      guard let version = seen.graph[id] else { fatalError("a known version is adopted") }
      seen.live = .whole(version.content, changedAt: seen.now)
      (seen.current, seen.isSameFile) = (id, true)
    case .setAside(let file), .remove(let file): seen.copies.removeAll { $0.file == file }
    }
  }

  /// The content is written in full: all versions that have it are complete.
  private mutating func store(_ id: VersionID) {
    guard let version = seen.graph[id] else { return }
    if !isStored(id) {
      versions.append(version)
      pruned.removeAll { $0.id == id }
    }
    empty.remove(id)
  }
}

import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO
@testable import OpenWOHistory

/// Whether a command is refused, has nothing to do or acts, decided from facts.
struct CommandDecisionTests {
  private typealias Scene = DecisionScene
  private let paths = DecisionScene.paths
  private let first, second: Version

  init() throws {
    first = try Scene.version("A", reason: .create)
    second = try Scene.version("B", from: first, day: 2)
  }

  private func restore(
    _ id: VersionID, live: Version?, expected: VersionID? = nil
  ) throws -> RestorePlan {
    try RestorePlan(
      of: id, in: VersionGraph([first, second]), live: live, expected: expected, paths)
  }

  @Test func `a restore needs a known version, a live one and the one that was expected`() throws {
    #expect(try restore(first.id, live: second, expected: second.id).previous == second)
    let unknown = try Scene.version("C").id
    #expect(Scene.refusal { try restore(unknown, live: second) } == .noSuchVersion)
    #expect(
      Scene.refusal { try restore(first.id, live: second, expected: first.id) } == .headMoved)
    #expect(Scene.refusal { try restore(first.id, live: nil) } == .unavailable)
  }

  @Test func `a restore of what is live has nothing to do`() throws {
    #expect(try restore(second.id, live: second).isNothing)
    #expect(try !restore(first.id, live: second).isNothing)
  }

  private func need(_ theirs: Version, _ ours: Version, _ others: Version...) -> MergeNeed {
    MergeNeed(of: theirs, into: ours, in: VersionGraph([first, second, theirs, ours] + others))
  }

  @Test func `a merge of what the live version was made from has nothing to do`() {
    #expect(need(first, second) == .nothing)
  }

  @Test func `a merge of another side has rows to bring`() throws {
    let other = try Scene.version("C", from: first, device: "mac", day: 3)
    #expect(need(other, second) == .merge)
    let twin = try Scene.version("B", from: first, device: "mac", day: 3)
    #expect(need(twin, second) == .alike)
  }

  @Test func `a merge of what a restore took out names the merge that had brought it`() throws {
    let other = try Scene.version("C", from: first, device: "mac", day: 3)
    let merged = try Scene.version("D", from: second, other, day: 4, reason: .merge)
    let restored = try Scene.version("B", from: merged, day: 5, reason: .restore)
    #expect(need(other, restored, merged) == .undone(by: merged.id))
    let again = try Scene.version("D", from: restored, day: 6, reason: .restore)
    #expect(need(other, again, merged, restored) == .nothing)
  }

  @Test func `a merge checks out the only head that follows from the live version first`() throws {
    let other = try Scene.version("C", from: first, device: "mac", day: 3)
    let graph = VersionGraph([first, second, other])
    #expect(graph.onlyHead(after: first, besides: other) == second)
    #expect(graph.onlyHead(after: first, besides: first) == nil)
    #expect(graph.onlyHead(after: second, besides: other) == nil)
  }

  private func initialize(
    create: Bool = false, _ change: (inout InitializeFacts) -> Void
  ) throws -> InitializeFacts.Step {
    var facts = InitializeFacts(paths: paths)
    change(&facts)
    return try facts.decide(create: create)
  }

  @Test func `init keeps a database that is there and makes one that is not`() throws {
    #expect(try initialize { $0.database = .regular } == .keepDatabase)
    #expect(try initialize(create: true) { _ in } == .makeDatabase)
    #expect(Scene.refusal { try initialize { _ in } } == .noStore)
    #expect(Scene.refusal { try initialize(create: true) { $0.database = .regular } } == .traces)
    #expect(Scene.refusal { try initialize { $0.database = .directory } } == .notADatabase)
  }

  @Test func `init refuses a store, and signs of a database that is not here`() {
    let signs: [(inout InitializeFacts) -> Void] = [
      { ($0.hasStore, $0.database) = (true, .regular) },
      { ($0.hasVersions, $0.database) = (true, .regular) },
      { $0.leftovers = ["/diary/diary.db-journal"] },
      { $0.placeholder = ".diary.db.icloud" },
    ]
    for sign in signs {
      #expect(Scene.refusal { try initialize(sign) } == .traces)
      #expect(Scene.refusal { try initialize(create: true, sign) } == .traces)
    }
  }

  private func leave(
    removingVersions: Bool = false, evenUnmerged: Bool = false,
    _ change: (inout LeaveFacts) -> Void
  ) -> StoreError.Code? {
    var facts = LeaveFacts(paths: paths, device: "here")
    change(&facts)
    return Scene.refusal {
      try facts.decide(removingVersions: removingVersions, evenUnmerged: evenUnmerged)
    }
  }

  @Test func `a device leaves a store in which nothing would be lost`() {
    #expect(leave { _ in } == nil)
    #expect(leave { $0.others = [Scene.device("mac")] } == nil)
    #expect(leave(removingVersions: true) { $0.others = [Scene.device("mac")] } == .unmerged)
    #expect(leave { $0.unmerged = .version(first.id) } == .unmerged)
    #expect(leave(evenUnmerged: true) { $0.unmerged = .version(first.id) } == nil)
    #expect(leave(evenUnmerged: true) { $0.lock = Scene.lock(of: "mac") } == .locked)
  }

  @Test func `the device to forget is named by its id, its name or the beginning of its id`() throws
  {
    var facts = ForgetFacts(paths: paths, device: "here")
    let mac = Scene.device("mac-1234")
    facts.records = [Scene.device("here"), mac, Scene.device("mac-5678")]
    for word in ["mac-1234", "the mac-1234", "mac-1"] {
      #expect(try facts.decide(word) == .known(mac))
    }
    for word in ["mac-", "here", "mac", "nobody"] {
      #expect(Scene.refusal { try facts.decide(word) } == .usage)
    }
    facts.locks = [Scene.lock(of: "mac-1234")]
    #expect(Scene.refusal { try facts.decide("mac-1234") } == .locked)
  }

  @Test func `a device without a file is forgotten if it made a version that is not whole`() throws
  {
    var facts = ForgetFacts(paths: paths, device: "here")
    facts.makers = [
      (id: "desk-1", name: "desk", at: Scene.day(1)),
      (id: "desk-1", name: "desk", at: Scene.day(2)),
    ]
    #expect(
      try facts.decide("desk") == .absent(id: "desk-1", name: "desk", lastSeen: Scene.day(2)))
    facts.makers.append((id: "desk-2", name: "desk", at: Scene.day(3)))
    #expect(Scene.refusal { try facts.decide("desk") } == .usage)
  }

  @Test func `a name of a version must not mean something else`() {
    func pin(_ name: String, beside count: Int = 0) -> StoreError.Code? {
      Scene.refusal {
        try Pins.decide(name, for: first.id, beside: count, now: Scene.day(3), paths)
      }
    }
    #expect(pin("before the move") == nil)
    for name in ["", "@~2", "yesterday", "a/b", "-n", String(repeating: "x", count: 65)] {
      #expect(pin(name) == .usage, "\(name)")
    }
    #expect(pin("one more", beside: 200) == .usage)
  }
}

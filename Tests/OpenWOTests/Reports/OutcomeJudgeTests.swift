import Testing

@testable import OpenWO
@testable import OpenWOHistory

/// How a look at the folder ends, decided from what it saw.
struct OutcomeJudgeTests {
  /// A folder with one version that is live.
  private func scene() throws -> Scene {
    var scene = Scene()
    try scene.version("a", "A")
    scene.live("A")
    return scene
  }

  private func outcome(_ scene: Scene, waits: [Action] = []) -> SyncOutcome {
    OutcomeJudge(seen: scene.seen, copies: CopyLedger(), paths: DecisionScene.paths)
      .outcome(waits: waits)
  }

  private func code(_ scene: Scene, waits: [Action] = []) -> StoreError.Code? {
    guard case .unsettled(let error) = outcome(scene, waits: waits) else { return nil }
    return error.code
  }

  @Test func `one live head is up to date`() throws {
    #expect(outcome(try scene()).isUpToDate)
  }

  @Test func `a file that cannot be read comes before all else`() throws {
    var scene = try scene()
    scene.seen.hasUnreadVersions = true
    scene.seen.live = .unreadable(.interrupted)
    #expect(code(scene, waits: [.publish]) == StoreError.interrupted(DecisionScene.paths).code)
    scene.seen.live = .changing
    #expect(code(scene) == .busy)
  }

  @Test func `a live file tells what is wrong with it`() throws {
    var scene = try scene()
    scene.seen.live = .missing(since: scene.seen.now)
    #expect(code(scene) == StoreError.missing(DecisionScene.paths).code)
    scene.seen.live = .doubtful("it is cut", changedAt: scene.seen.now)
    #expect(code(scene) == .damaged)
    scene.seen.live = .writeAheadLog(changedAt: scene.seen.now)
    #expect(code(scene) == StoreError.openInWAL(DecisionScene.paths).code)
  }

  @Test func `a torn copy waits for a person when nothing else waits`() throws {
    var scene = try scene()
    try scene.copy("diary (1).db", nil, ago: 100_000)
    #expect(code(scene) == .copyNotWhole)
  }

  @Test func `what cannot be read is no proof`() throws {
    var scene = try scene()
    scene.seen.hasUnreadCopies = true
    #expect(code(scene) != nil)
    scene.seen.hasUnreadCopies = false
    scene.seen.hasUnreadVersions = true
    #expect(code(scene) != nil)
  }
}

/// When a device saved last, also after its clock was set right.
struct LastSaveTests {
  private let now = DecisionScene.day(10)

  private func lastSave(_ versions: [Version]) -> Timestamp? {
    VersionGraph(versions).lastSave(of: "phone", now: now)
  }

  @Test func `only its own saves count`() throws {
    let first = try DecisionScene.version("1", day: 2)
    let other = try DecisionScene.version("2", from: first, device: "mac", day: 3)
    #expect(lastSave([first, other]) == DecisionScene.day(2))
    #expect(lastSave([other]) == nil)
  }

  @Test func `a time to come counts until something is saved after it`() throws {
    let ahead = try DecisionScene.version("1", day: 20)
    #expect(lastSave([ahead]) == DecisionScene.day(20))
    let since = try DecisionScene.version("2", from: ahead, day: 9)
    #expect(lastSave([ahead, since]) == DecisionScene.day(9))
    let beside = try DecisionScene.version("3", day: 8)
    #expect(lastSave([ahead, beside]) == DecisionScene.day(20))
  }
}

import OpenWOHistory
import Testing

@testable import OpenWO

/// The next step of a call for the lock, and the version that the edit starts from.
struct LockDecisionTests {
  private static let own = StoreLock.example("own", of: "here")
  private static let other = StoreLock.example("other", of: "there")

  /// A call that has asked for the own lock.
  private func asked(_ describe: (inout LockFacts) -> Void) -> LockDecision {
    decide {
      ($0.asked, $0.holder, $0.hasLooked) = (Self.own, Self.own, true)
      describe(&$0)
    }
  }

  private func decide(_ describe: (inout LockFacts) -> Void) -> LockDecision {
    var facts = LockFacts(device: "here")
    describe(&facts)
    return LockDecision(facts)
  }

  // MARK: Before it asks

  @Test func `a call looks at the folder before it asks`() {
    #expect(decide { _ in } == .look)
    #expect(decide { $0.hasLooked = true } == .ask)
  }

  @Test func `another device's lock is refused after a look, or waited for while there is time`() {
    #expect(decide { $0.holder = Self.other } == .look)
    #expect(decide { ($0.holder, $0.mayWait) = (Self.other, true) } == .look)
    #expect(
      decide { ($0.holder, $0.hasLooked) = (Self.other, true) } == .refuse(.locked(by: Self.other)))
    #expect(
      decide { ($0.holder, $0.hasLooked, $0.mayWait) = (Self.other, true, true) } == .waitForHolder)
  }

  @Test func `this device's lock is refused at once, however long the call may wait`() {
    #expect(decide { $0.holder = Self.own } == .refuse(.locked(by: Self.own)))
    #expect(
      decide { ($0.holder, $0.mayWait) = (Self.own, true) } == .refuse(.locked(by: Self.own)))
  }

  @Test func `a lock that another process took during the wait is waited for`() {
    #expect(
      decide { ($0.holder, $0.hasLooked, $0.mayWait) = (Self.own, true, true) } == .waitForHolder)
  }

  // MARK: Once it has asked

  @Test func `the edit starts when all devices have answered or the time is up`() {
    #expect(asked { $0.mayWait = true } == .start)
    #expect(asked { ($0.mayWait, $0.isAwaitingDevices) = (true, true) } == .waitForDevices)
    #expect(asked { $0.isAwaitingDevices = true } == .start)
  }

  @Test func `a lock that was ended while it was asked for is refused`() {
    #expect(asked { ($0.isInFolder, $0.holder) = (false, nil) } == .refuse(.ended(Self.own)))
    #expect(asked { $0.isInFolder = false } == .refuse(.ended(Self.own)))
    #expect(
      asked { ($0.isInFolder, $0.holder) = (false, Self.other) }
        == .refuse(.locked(by: Self.other)))
  }

  @Test func `of two locks at once only the one that holds may begin its edit`() {
    var held = Self.own
    held.state = .held
    #expect(asked { ($0.asked, $0.holder) = (held, held) } == .held)
    #expect(
      asked { ($0.asked, $0.holder) = (held, Self.other) } == .refuse(.locked(by: Self.other)))
    #expect(asked { ($0.asked, $0.holder) = (held, nil) } == .refuse(.ended(held)))
  }

  // MARK: The start of the edit

  private func start(_ live: Sighting.Live, at now: Int64 = 10_000) -> EditStart {
    EditStart(
      recorded: nil, live: live, now: Timestamp(milliseconds: now), settleTime: 1_000)
  }

  @Test func `a file that is as recorded is not looked at`() throws {
    var scene = Scene()
    try scene.version("first", "a")
    let first = try #require(scene.versions["first"]).id
    struct Looked: Error {}
    func look() throws -> Sighting.Live { throw Looked() }
    let start = try EditStart(
      recorded: first, live: look(), now: Timestamp(milliseconds: 0), settleTime: 0)
    #expect(start == .recorded(first))
  }

  @Test func `an edit starts from what is found if that is whole, and from nothing else`() {
    let moment = Timestamp(milliseconds: 9_500)
    #expect(start(.whole(Scene.content("a"), changedAt: moment)) == .capture)
    for live in [
      Sighting.Live.missing(since: moment), .changing, .writeAheadLog(changedAt: moment),
      .unreadable(.busy),
    ] {
      #expect(start(live) == .refuse(live, isAwaited: false))
    }
  }

  @Test func `a torn file is still awaited until it has settled`() {
    let torn = Sighting.Live.doubtful("it is cut", changedAt: Timestamp(milliseconds: 9_500))
    #expect(start(torn) == .refuse(torn, isAwaited: true))
    #expect(start(torn, at: 10_500) == .refuse(torn, isAwaited: false))
  }
}

extension StoreLock {
  /// A lock that a device has asked for.
  static func example(_ id: String, of device: String) -> StoreLock {
    StoreLock(
      id: id, device: device, deviceName: device, user: "u", host: "h", program: "openwo lock",
      since: Timestamp(milliseconds: 0), until: nil)
  }
}

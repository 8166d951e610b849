import OpenWO
import OpenWOHistory
import Testing

/// The planner's decisions, with a test for each fault that the simulator found.
struct PlannerTests {
  @Test func `nobody waits for a time in the future`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    scene.seen.current = try scene.id("a")
    scene.live("B", for: -3600)
    #expect(scene.plan == [.captureLive(.external)])
    try scene.copy("copy", "C", ago: -3600)
    #expect(scene.plan == [.captureCopy(try scene.file("copy"))])
    scene.seen.copies = []
    scene.seen.live = .missing(since: Timestamp(milliseconds: Scene.now + 3_600_000))
    #expect(scene.plan == [.repair(try scene.id("a"), reason: "the database is missing")])
  }

  @Test func `an unknown file is left alone while it may still change`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    scene.live("B", for: 1)
    #expect(scene.plan.isEmpty && scene.waits == [1])
    scene.live("B", for: 0)
    #expect(scene.plan.isEmpty && scene.waits == [2])
    scene.seen.isAlone = true
    #expect(scene.plan == [.captureLive(.external)])
  }

  @Test func `a file that programs write again and again is captured after ten seconds`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    scene.live("B", for: 0)
    scene.seen.isWritten = true
    scene.seen.unknownSince = Timestamp(milliseconds: Scene.now - 9_000)
    #expect(scene.plan.isEmpty && scene.waits == [1])
    scene.seen.unknownSince = Timestamp(milliseconds: Scene.now - 10_000)
    #expect(scene.plan == [.captureLive(.external)])
    scene.seen.isWritten = false
    #expect(scene.plan.isEmpty && scene.waits == [2])
  }

  @Test func `copies are captured, the oldest first, and the live file after them`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    scene.live("B")
    try scene.copy("1", "C", ago: 50)
    try scene.copy("2", "D", ago: 60)
    try scene.copy("3", "D", ago: 55)
    #expect(
      scene.plan == [.captureCopy(try scene.file("2")), .captureCopy(try scene.file("1"))])
    try scene.version("d", "D", device: "here", reason: .external)
    #expect(scene.plan == [.captureCopy(try scene.file("1"))])
    try scene.version("c", "C", from: "d", device: "here", reason: .external)
    #expect(scene.plan == [.captureLive(.external)])
  }

  @Test func `a copy that may be a person's own waits as a version, or alone as a file`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    scene.live("A")
    scene.seen.current = try scene.id("a")
    try scene.copy("w 2", "B", origin: .perhapsPerson)
    #expect(scene.plan == [.captureAside(try scene.file("w 2"))])
    scene.seen.isAlone = true
    #expect(scene.plan.isEmpty)
  }

  @Test func `a copy is removed when its content can be put together, and not before`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a")
    scene.live("B")
    scene.seen.current = try scene.id("b")
    try scene.copy("copy", "A")
    #expect(scene.plan == [.remove(try scene.file("copy"))])
    scene.seen.incomplete = [try scene.id("a")]
    #expect(scene.plan == [.store(try scene.id("a"), from: try scene.file("copy"))])
  }

  @Test func `a copy that may still change is neither captured nor removed`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a")
    scene.live("B")
    scene.seen.current = try scene.id("b")
    try scene.copy("copy", "C", ago: 1)
    #expect(scene.plan.isEmpty && scene.waits == [1])
    // Its version is known, and what that rests on is not here.
    scene.seen.copies = []
    try scene.copy("copy", "A", ago: 1)
    scene.seen.incomplete = [try scene.id("a")]
    #expect(scene.plan.isEmpty && scene.waits == [1])
    // Nobody writes a staging file that a crash has left.
    scene.seen.copies = []
    try scene.copy("staging", "C", ago: 1, origin: .staging)
    #expect(scene.plan == [.captureCopy(try scene.file("staging"))])
  }

  @Test
  func `a name that people choose too is removed only if nothing but a copy ever had its content`()
    throws
  {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a")
    try scene.version("c", "C", from: "b", reason: .external, note: "conflicted copy w 2")
    try scene.version("e", "E", from: "b", reason: .external)
    try scene.version("d", "B", from: "c", "e", reason: .settle)
    scene.live("B")
    scene.seen.current = try scene.id("d")
    try scene.copy("w 2", "C", origin: .perhapsService)
    try scene.copy("w 3", "A", origin: .perhapsPerson)
    try scene.copy("w.Conflict", "A", origin: .unremovable)
    try scene.copy("w 4", "E", origin: .perhapsService)
    #expect(scene.plan == [.remove(try scene.file("w 2"))])
  }

  @Test func `a torn staging file is kept as evidence, a torn copy is left alone`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    scene.live("A")
    scene.seen.current = try scene.id("a")
    try scene.copy("staging", nil, origin: .staging)
    try scene.copy("copy", nil)
    #expect(scene.plan == [.setAside(try scene.file("staging"))])
  }

  @Test func `an old content is a restore by hand only in the same file of the only device`()
    throws
  {
    var scene = Scene()
    try scene.version("a", "A", device: "here")
    try scene.version("b", "B", from: "a", device: "here")
    scene.seen.current = try scene.id("b")
    scene.live("A")
    scene.seen.isSameFile = true
    scene.seen.isAlone = true
    #expect(scene.plan == [.captureLive(.restore)])
    scene.seen.isSameFile = false
    #expect(scene.plan == [.note(try scene.id("a")), .adopt(try scene.id("b"))])
    scene.seen.isSameFile = true
    scene.seen.isAlone = false
    #expect(scene.plan == [.note(try scene.id("a")), .adopt(try scene.id("b"))])
  }

  @Test func `under a lock nothing is done but publishing, capturing and answering`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    scene.live("A")
    scene.seen.hasPending = true
    let lock = StoreLock(
      id: "l", device: "there", deviceName: "", user: "", host: "", program: "",
      since: Timestamp(milliseconds: 0), until: nil)
    scene.seen.lock = .init(lock: lock, isOurs: false, isAcknowledged: false)
    #expect(scene.plan == [.publish, .acknowledge(lock: "l")])
    scene.seen.lock = .init(lock: lock, isOurs: false, isAcknowledged: true)
    #expect(scene.plan == [.publish])
    // The detector says that a file is whole only if a program wrote it here in place.
    scene.live("B")
    #expect(scene.plan == [.publish, .captureLive(.external)])
    scene.seen.lock = .init(lock: lock, isOurs: false, isAcknowledged: false)
    #expect(scene.plan == [.publish, .captureLive(.external)])
    scene.seen.live = .unreadable(.delivered)
    #expect(scene.plan == [.publish, .acknowledge(lock: "l")])
    scene.live("B")
    scene.seen.lock = .init(lock: lock, isOurs: true, isAcknowledged: false)
    #expect(scene.plan == [.publish])
  }

  @Test func `a damaged or missing file is repaired after its grace time`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    scene.seen.live = .missing(since: Timestamp(milliseconds: Scene.now - 1500))
    #expect(scene.plan.isEmpty && scene.waits == [0])
    scene.seen.live = .doubtful("torn", changedAt: Timestamp(milliseconds: Scene.now - 2500))
    #expect(scene.plan == [.repair(try scene.id("a"), reason: "torn")])
    scene.seen.live = .unreadable(.busy)
    #expect(scene.plan.isEmpty && scene.waits.isEmpty)
  }

  @Test func `a database in WAL mode becomes one file on its own device at once, elsewhere later`()
    throws
  {
    var scene = Scene()
    try scene.version("a", "A")
    scene.seen.live = .writeAheadLog(changedAt: Timestamp(milliseconds: Scene.now - 1000))
    #expect(scene.plan.isEmpty && scene.waits == [4])
    scene.seen.isSameFile = true
    #expect(scene.plan == [.fold])
    scene.seen.isSameFile = false
    scene.seen.live = .writeAheadLog(changedAt: Timestamp(milliseconds: Scene.now - 5000))
    #expect(scene.plan == [.fold])
  }

  @Test(arguments: [Version.mergeDevice, Version.settleDevice])
  func `a missing file is put back by the device that wrote it, and by others later`(common: String)
    throws
  {
    var scene = Scene()
    scene.policy.othersTime = 5_000
    try scene.version("a", "A", device: "here")
    try scene.version("b", "B", from: "a")
    func repaired(after milliseconds: Int64) throws -> VersionID? {
      scene.seen.live = .missing(since: Timestamp(milliseconds: Scene.now - milliseconds))
      let repairs = scene.plan.compactMap { action -> VersionID? in
        if case .repair(let id, _) = action { id } else { nil }
      }
      return repairs.first
    }
    #expect(try repaired(after: 6_999) == nil)
    #expect(try repaired(after: 7_000) == scene.id("b"))
    // The last of what was merged is this device's own.
    try scene.version("c", "C", from: "a", device: "here", ago: 50)
    try scene.version("merged", "M", from: "b", "c", device: common, ago: 40)
    #expect(try repaired(after: 2_000) == scene.id("merged"))
    try scene.version("theirs", "D", from: "merged", ago: 30)
    try scene.version("ours", "E", from: "merged", device: "here", ago: 35)
    try scene.version("again", "F", from: "theirs", "ours", device: common, ago: 20)
    #expect(try repaired(after: 2_000) == nil)
    #expect(try repaired(after: 7_000) == scene.id("again"))
    // Of several heads it is the newest that counts.
    for letter in ["O", "P", "Q", "R", "S"] {
      try scene.version("older", letter, from: "a", device: "here", ago: 200)
      scene.seen.live = .missing(since: Timestamp(milliseconds: Scene.now - 2_000))
      #expect(scene.waits == [5])
    }
    // Where nothing can be put back nobody else is waited for.
    scene.seen.graph = VersionGraph([])
    scene.seen.live = .missing(since: Timestamp(milliseconds: Scene.now - 1_000))
    #expect(scene.waits == [1])
  }
}

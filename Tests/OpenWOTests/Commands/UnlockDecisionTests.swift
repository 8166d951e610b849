import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO
@testable import OpenWOSQLite

/// Which lock an unlock ends, and how; a test a row.
struct UnlockDecisionTests {
  private static let own = StoreLock.example("0wn10000", of: "here")
  private static let other = StoreLock.example("0ther000", of: "there")

  private func decide(
    standing: [StoreLock] = [own], ended: [StoreLock] = [], own: StoreLock? = own,
    _ request: UnlockRequest = UnlockRequest(), _ describe: (inout UnlockFacts) -> Void = { _ in }
  ) -> UnlockDecision {
    var board = LockBoard([], revoked: [], device: "here", now: Timestamp(milliseconds: 0))
    board.standing = standing
    board.ended = ended.map { ($0, .revoked) }
    var facts = UnlockFacts(request: request, board: board, own: own)
    describe(&facts)
    return UnlockDecision(facts)
  }

  // MARK: This device's lock

  @Test func `the lock of this device ends`() {
    #expect(decide() == .end(Self.own))
    #expect(decide(UnlockRequest(discard: true)) == .end(Self.own))
    #expect(decide(UnlockRequest(dryRun: true)) == .end(Self.own))
  }

  @Test func `without a lock of this device there is nothing to end`() {
    #expect(decide(standing: [], own: nil) == .refuse(.noLock(other: nil)))
    #expect(decide(standing: [Self.other], own: nil) == .refuse(.noLock(other: Self.other)))
  }

  @Test func `a lock that somebody ended is given up`() {
    #expect(decide(standing: [], ended: [Self.own]) == .giveUp(Self.own))
    #expect(decide(standing: [], own: nil) { $0.taken = Self.own } == .giveUp(Self.own))
  }

  @Test func `a handle ends the lock that it took, and no later one`() {
    let later = StoreLock.example("1ater000", of: "here")
    #expect(decide(standing: [later], own: later) { $0.taken = Self.own } == .giveUp(Self.own))
    #expect(decide(standing: [later], own: later) == .end(later))
  }

  @Test func `after a wait a call ends the lock that it began to end`() {
    let later = StoreLock.example("1ater000", of: "here")
    let decision = decide(standing: [later], own: later) {
      ($0.begun, $0.taken) = (Self.own, later)
    }
    #expect(decision == .giveUp(Self.own))
  }

  @Test func `a discard is refused while another lock holds, and a capture is not`() {
    let standing = [Self.other, Self.own]
    #expect(
      decide(standing: standing, UnlockRequest(discard: true))
        == .refuse(.locked(by: Self.other)))
    #expect(decide(standing: standing) == .end(Self.own))
  }

  @Test func `a lock of a newer openwo refuses a discard, and a call without a lock of its own`() {
    let file = FilePath("/locks/new.json")
    let (newer, none) = (UnlockDecision.refuse(.newerLock(file)), [StoreLock]())
    #expect(decide(UnlockRequest(discard: true)) { $0.board.newer = file } == newer)
    #expect(decide(standing: none, own: nil) { $0.board.newer = file } == newer)
    #expect(decide { $0.board.newer = file } == .end(Self.own))
  }

  // MARK: By force

  @Test func `another device's lock is revoked by its id or the beginning of it`() {
    let standing = [Self.other, Self.own]
    for word in ["0ther000", "0the", "0THE"] {
      #expect(decide(standing: standing, UnlockRequest(force: word)) == .revoke(Self.other))
    }
    #expect(
      decide(standing: [Self.other], own: nil, UnlockRequest(force: "0the")) == .revoke(Self.other))
  }

  @Test func `a word that names no lock, or more than one, is refused`() {
    let refused = UnlockDecision.refuse(.noLock(other: Self.other))
    let twin = StoreLock.example("0ther111", of: "third")
    #expect(decide(standing: [Self.other], UnlockRequest(force: "0th")) == refused)
    #expect(decide(standing: [Self.other], UnlockRequest(force: "ffff")) == refused)
    #expect(decide(standing: [Self.other, twin], UnlockRequest(force: "0the")) == refused)
  }

  @Test func `by its id this device's own lock ends as without force`() {
    #expect(decide(UnlockRequest(force: "0wn10000")) == .end(Self.own))
    let later = StoreLock.example("1ater000", of: "here")
    #expect(decide(UnlockRequest(force: "0wn1")) { $0.taken = later } == .end(Self.own))
  }

  // MARK: What is left after a lock was lost

  @Test func `what is left of an edit is told by its version, its damage, or the file`() throws {
    let version = try Self.version()
    let repair = Action.repair(version.id, reason: "it is cut")
    func left(_ edit: VersionID?, _ steps: [Action], _ isAsRecorded: Bool) -> String {
      "\(StoreError.Leftover(edit: edit, after: steps, isAsRecorded: isAsRecorded))"
    }
    #expect(left(version.id, [repair], true) == "\(StoreError.Leftover.kept(version.id))")
    #expect(left(nil, [repair], true) == "\(StoreError.Leftover.damaged("it is cut"))")
    #expect(left(nil, [], true) == "none")
    #expect(left(nil, [], false) == "waiting")
  }

  // MARK: What becomes of the edit

  private static func version() throws -> Version {
    var scene = Scene()
    try scene.version("first", "a")
    return try #require(scene.versions["first"])
  }

  private func edit(
    _ state: LockedEdit.State, discard: Bool = false, other: StoreLock? = nil,
    broken: BrokenReferences? = nil, before: Version? = nil
  ) -> EditDecision {
    EditDecision(
      EditFacts(
        state: state, isDiscarded: discard, other: other, broken: broken, before: before))
  }

  @Test func `an unchanged file makes no version`() {
    #expect(edit(.unchanged) == .keepNothing)
    #expect(edit(.unchanged, discard: true) == .keepNothing)
  }

  @Test func `a whole file becomes a version, and a discard puts the one before back`() {
    #expect(edit(.whole) == .capture)
    #expect(edit(.whole, discard: true) == .discard)
  }

  @Test func `rows that point at nothing keep the edit from a version, but not from a discard`() {
    let first = ForeignKeyViolation(table: "set", rowID: 1, parent: "workout", index: 0)
    let broken = BrokenReferences(first: first, count: 1)
    #expect(edit(.whole, broken: broken) == .refuse(.brokenReferences(broken)))
    #expect(edit(.whole, discard: true, broken: broken) == .discard)
    #expect(
      EditRefusal(changedRows: 3, allowed: 2, broken: first) == .tooManyRows(3, allowed: 2))
    #expect(EditRefusal(changedRows: 2, allowed: 2, broken: first) == .breaksReferences(first))
    #expect(EditRefusal(changedRows: 2, allowed: 2, broken: nil) == nil)
  }

  @Test func `a damaged file is refused, and a discard puts a whole version in its place`() throws {
    let before = try Self.version()
    #expect(edit(.damaged("cut"), before: before) == .refuse(.damaged("cut")))
    #expect(
      edit(.damaged("cut"), discard: true, before: before) == .repair(with: before, why: "cut"))
    #expect(edit(.damaged("cut"), discard: true) == .refuse(.damaged("cut")))
  }

  @Test func `a write-ahead log is checkpointed unless another lock holds`() {
    #expect(edit(.logged) == .checkpoint)
    #expect(edit(.logged, discard: true) == .checkpoint)
    #expect(edit(.logged, other: Self.other) == .refuse(.locked(by: Self.other)))
  }
}

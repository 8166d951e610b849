import OpenWOFiles
import OpenWOHistory
import Testing

@testable import OpenWO

/// Which of the locks that were read count.
struct LockBoardTests {
  private static let now = Timestamp(milliseconds: 1_000_000)

  private func lock(
    _ id: String, of device: String = "there", since: Int64 = 0, until: Int64? = nil,
    process: ProcessIdentity? = nil
  ) -> StoreLock {
    var lock = StoreLock(
      id: id, device: device, deviceName: device, user: "u", host: "h", program: "openwo lock",
      since: Timestamp(milliseconds: since), until: until.map { Timestamp(milliseconds: $0) })
    lock.process = process
    return lock
  }

  private func board(_ locks: StoreLock..., revoked: Set<String> = []) -> LockBoard {
    LockBoard(locks, revoked: revoked, device: "here", now: Self.now)
  }

  @Test func `a lock ends at its moment and not before`() {
    #expect(board(lock("a", until: 1_000_001)).effective?.id == "a")
    let ended = board(lock("a", until: 1_000_000))
    #expect(ended.standing.isEmpty && ended.ended.map(\.how) == [.ranOut])
  }

  @Test func `of two locks the older one holds, or at equal times that of the lower device`() {
    let (early, late) = (lock("a", of: "z", since: 1), lock("b", of: "x", since: 2))
    #expect(board(early, late).standing.map(\.id) == ["a", "b"])
    #expect(board(late, early).standing.map(\.id) == ["a", "b"])
    let (low, high) = (lock("b", of: "x", since: 1), lock("a", of: "z", since: 1))
    #expect(board(low, high).standing.map(\.id) == ["b", "a"])
    #expect(board(high, low).standing.map(\.id) == ["b", "a"])
  }

  @Test func `a lock ends with its process on its own device, and nowhere else by that`() {
    var dead = ProcessIdentity.current
    dead.startTime += 1
    #expect(board(lock("a", of: "here", process: dead)).ended.map(\.how) == [.processGone])
    #expect(board(lock("a", of: "here", process: .current)).effective?.id == "a")
    // Another device's processes are not visible here, whatever their numbers.
    #expect(board(lock("a", of: "there", process: dead)).effective?.id == "a")
  }

  @Test func `a lock that was ended from elsewhere does not count`() {
    let board = board(lock("a", since: 1), lock("b", since: 2), revoked: ["a"])
    #expect(board.effective?.id == "b" && board.ended.map(\.how) == [.revoked])
  }
}

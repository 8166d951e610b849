import Foundation
import Testing

/// How a lock begins and ends as a person meets it, where something is in the way.
struct LockEndTests {
  @Test func `13: an edit ends no lock but its own`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo edit -- sh -c 'openwo unlock -q diary.db; openwo lock -q --note second diary.db' {}
      ! openwo: error: the lock <lock-1> had been ended before you unlocked; nothing had been edited
      ! openwo: hint: see what is live now: openwo history /stage/Training/diary.db
      [13]
      $ openwo status
      diary.db is locked for editing on this device by mari (openwo lock)
        since       hh:mm (just now)
        note        second
        lock        <lock-2>
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      next: openwo unlock
      $ openwo unlock
      unlocked diary.db: no changes
      """)
  }

  @Test func `12: an edit whose program leaves a transaction open says how to end its lock`() throws
  {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    let result = try stage.run(
      """
      mkfifo ../say ../begun; exec 3<>../say; sqlite3 diary.db <../say 3>&- &
      openwo edit -- sh -c 'echo "BEGIN IMMEDIATE; DELETE FROM session;
      .shell echo > ../begun" > ../say; read x < ../begun' {}
      status=$?; exec 3>&-; wait; openwo unlock || exit 99; exit $status
      """)
    #expect(result.status == 12, "\(result.remarkText)")
    let path = stage.folder.appending(path: "diary.db").path
    #expect(result.remarkText.contains("the lock stands"))
    #expect(result.remarkText.contains("openwo unlock \(path)\n"), "\(result.remarkText)")
  }

  @Test func `64: a lock for no time is none`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo lock --for 0s
      ! openwo: error: a lock --for no time would end at once; nothing was locked
      ! openwo: hint: say for how long: openwo lock --for 2h
      [64]
      $ openwo lock --wait 1000000w --for 1000000w -q && openwo unlock
      unlocked diary.db: no changes
      """)
  }
}

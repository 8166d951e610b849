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
      ! openwo: hint: see what is live now: openwo history
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
      openwo edit --no-wait -- sh -c 'echo "BEGIN IMMEDIATE; DELETE FROM session;
      .shell echo > ../begun" > ../say; read x < ../begun' {}
      status=$?; exec 3>&-; wait; openwo unlock || exit 99; exit $status
      """)
    #expect(result.status == 12, "\(result.remarkText)")
    #expect(result.remarkText.contains("the lock and the edit are kept"))
    #expect(result.remarkText.contains("openwo unlock\n"), "\(result.remarkText)")
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

  @Test func `the lock of an edit that runs is left to it`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo edit -- sh -c 'openwo status; openwo lock; openwo doctor | grep -A1 lock; true' {}
      diary.db is locked for editing on this device by mari (openwo edit sh)
        since       hh:mm (just now)
        lock        <lock-1>
        ends        with that program
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      note     mari on laptop (openwo edit sh) holds the lock <lock-1> since YYYY-MM-DD hh:mm
               it ends with that program; see when: openwo status
      ! openwo: error: diary.db is locked for editing on this device by mari (openwo edit sh, pid N) since YYYY-MM-DD hh:mm; your data is safe, nothing was written
      ! openwo: hint: it ends with that program; see when: openwo status
      ! unlocked diary.db: no changes
      """)
  }

  @Test func `the command that each place names ends the lock`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; on phone openwo sync")
    for device in ["laptop", "phone"] {
      try stage.text("openwo lock -q")
      let call = device == "phone" ? "on phone " : ""
      let refused = try stage.run("\(call)openwo lock").remarkText
      let hint = try #require(refused.split(separator: "\n").last)
      let status = try stage.text("\(call)openwo status")
      let next = try #require(status.split(separator: "\n").last).dropFirst("next: ".count)
      let command = try #require(hint.range(of: "openwo unlock")).lowerBound
      #expect(hint[command...].hasPrefix(next), "\(hint) \(next)")
      try stage.text("\(call)\(hint[command...]) -q")
      #expect(try !stage.text("openwo status").contains("is locked"))
      try stage.run("openwo unlock -q")
    }
  }

  @Test func `an id of another lock leads to the plain command`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock -q")
    try stage.expect(
      """
      $ openwo unlock --force 12345678
      ! openwo: error: the lock on diary.db is <lock-1>, on this device by mari (openwo lock), since YYYY-MM-DD hh:mm
      ! openwo: hint: when the edit is finished: openwo unlock
      [13]
      $ openwo unlock
      unlocked diary.db: no changes
      """)
  }

  @Test func `an ended lock whose edit is kept needs no warning`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      openwo init diary.db; on phone openwo sync; openwo lock -q
      sqlite3 diary.db "DELETE FROM session"; on phone openwo unlock --force $(openwo status --json |
        grep -o '"id":"[0-9a-f]\\{8\\}"' | cut -d'"' -f4 | head -1)
      """)
    try stage.expect(
      """
      $ openwo doctor | grep -A1 'has ended'
      warning  the lock <lock-1> of this device has ended, and its edit waits to be kept
               keep it: openwo unlock
      $ openwo sync -q; openwo doctor | grep -A1 'has ended'
      note     the lock <lock-1> of this device has ended; no edit waits
               put it away: openwo unlock
      """)
  }
}

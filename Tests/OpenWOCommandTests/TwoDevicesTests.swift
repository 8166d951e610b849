import Testing

/// Two devices are two state folders on one synced folder.
struct TwoDevicesTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; on phone openwo sync")
    return stage
  }

  @Test func `the other device answers the lock, and both say so`() throws {
    try stage().expect(
      """
      $ openwo lock --note 'fixing names'
      locked diary.db
        no answer  phone (last seen just now)
        open       /stage/Training/diary.db
        when done  openwo unlock
      what a device writes before it sees the lock is kept as a version
      $ on phone openwo status
      diary.db is locked for editing by mari on laptop (openwo lock)
        since    hh:mm (just now)
        note     fixing names
        lock     <lock-1>
        ends     when the edit on laptop is finished, or from here with --force
        version  <version--1>
        laptop   has this version, seen just now
      next: openwo unlock --force <lock-1>
      $ on phone openwo sync
      let go for the lock <lock-1>
      diary.db is up to date, version <version--1>, and locked for editing by mari on laptop (openwo lock)
      $ openwo status
      diary.db is locked for editing on this device by mari (openwo lock)
        since       hh:mm (just now)
        note        fixing names
        lock        <lock-1>
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
        phone       has this version, seen just now, has let go
      next: openwo unlock
      $ openwo edit -- true
      ! openwo: uses the lock <lock-1> of this device
      ! openwo: diary.db stays locked; when the edit is finished: openwo unlock
      $ openwo unlock
      unlocked diary.db: no changes
      $ on phone openwo status
      diary.db is up to date
        version  <version--1>
        laptop   has this version, seen just now
      $ on phone openwo devices
        device  id            version       seen
        laptop  <device---1>  <version--1>  just now
      * phone   <device---2>  <version--1>  just now
      """)
  }

  @Test func `the edit of a lock that was ended elsewhere is kept`() throws {
    try stage().expect(
      """
      $ openwo lock --quiet
      $ openwo status
      diary.db is locked for editing on this device by mari (openwo lock)
        since       hh:mm (just now)
        lock        <lock-1>
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
        phone       has this version, seen just now, has not answered the lock
      next: openwo unlock
      $ sqlite3 diary.db "DELETE FROM session"
      $ on phone openwo unlock --force <lock-1> --dry-run
      would end the lock of mari on laptop (openwo lock)
      $ on phone openwo unlock --force <lock-1>
      ended the lock <lock-1> of mari on laptop (openwo lock)
      what was edited there becomes a version
      next: openwo sync
      $ openwo unlock
      ! openwo: error: the lock <lock-1> had been ended before you unlocked; your edit is kept as version <version--2>
      ! openwo: hint: see what is live now: openwo history
      [13]
      $ openwo status
      diary.db is up to date
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--2>
        phone       has version <version--1>, seen just now
      $ openwo history
        version       when              device  reason     size  changes     note
      * <version--2>  YYYY-MM-DD hh:mm  laptop  external  12 kB  session -1
        <version--1>  YYYY-MM-DD hh:mm  laptop  create    12 kB
      """)
  }

  @Test func `a program whose process is gone holds no lock any more`() throws {
    let stage = try stage()
    try stage.run("openwo edit -- sh -c 'kill -9 $PPID'")
    try stage.expect(
      """
      $ openwo status --check
      diary.db is up to date
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
        phone       has this version, seen just now
      $ openwo lock --quiet && openwo unlock
      unlocked diary.db: no changes
      """)
  }

  @Test func `a waiting process gets the lock when it ends`() throws {
    let stage = try stage()
    let result = try stage.run(
      """
      openwo lock && { on phone openwo lock --wait 1m & openwo unlock && wait $!; } && openwo status
      """)
    #expect(result.status == 0, "\(result.remarkText)")
    #expect(result.text.contains("is locked for editing by "), "\(result.text)")
    #expect(result.text.contains(" on phone (openwo lock)"), "\(result.text)")
  }
}

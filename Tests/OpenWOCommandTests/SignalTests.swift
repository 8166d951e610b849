import Foundation
import Testing

/// Signals: the lock is released first, and the status says which signal it was.
struct SignalTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; on phone openwo sync")
    return stage
  }

  @Test func `a program that a signal ends`() throws {
    try stage().expect(
      """
      $ openwo edit --quiet -- sh -c 'kill -TERM $$'
      [143]
      $ openwo edit --quiet -- sh -c 'kill -USR1 $$'
      [138]
      $ openwo edit --quiet -- sh -c 'kill -9 $$'
      [137]
      $ openwo status --check
      diary.db is up to date
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
        phone       has this version, seen just now
      """)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal during an edit ends the program, then the lock`(signal: Int32) throws {
    let stage = try stage()
    let result = try stage.run(
      "openwo edit --quiet -- sh -c 'kill -\(signal) $PPID; while :; do read x < /dev/zero; done'")
    #expect(result.status == 128 + signal)
    #expect(
      result.remarkText == "openwo: phone has not answered the lock yet\n" || result.remarks.isEmpty
    )
    try stage.text("openwo status --check; test -z \"$(ls diary.db.openwo/locks)\"")
  }

  @Test func `an interrupt from the terminal is the program's affair`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo edit --quiet -- sh -c 'trap "" INT; kill -INT $PPID; sqlite3 "$1" "DELETE FROM session"' sh
      $ openwo history --limit 1
        version       when              device  reason   size  changes     note
      * <version--1>  YYYY-MM-DD hh:mm  laptop  edit    12 kB  session -1
      """)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a lock whose wait is given up is not held`(signal: Int32) throws {
    let stage = try stage()
    let process = Process()
    process.executableURL = Stage.programs.appending(path: "openwo")
    process.arguments = ["lock", "diary.db", "--wait", "10m"]
    process.environment = stage.environment
    process.currentDirectoryURL = stage.folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    // The phone does not answer, so it waits once its own lock is there.
    try stage.text("until grep -q asked diary.db.openwo/locks/*.json 2> /dev/null; do :; done")
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + signal)
    try stage.text("test -z \"$(ls diary.db.openwo/locks)\"")
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `watch ends with 0 on a signal to end`(signal: Int32) throws {
    let result = try stage().run(
      "openwo watch > told & watch=$!; until [ -s told ]; do on phone openwo edit --quiet -- "
        + "sqlite3 {} 'UPDATE session SET rowid = rowid + 1'; done; "
        + "kill -\(signal) $watch; wait $watch")
    #expect(result.status == 0)
    let log = try stage().run(
      "timeout 20 openwo watch > told & watch=$!; until [ -s told ]; do :; done; kill $watch; cat told"
    ).text
    #expect(try log.contains(Regex("^20[0-9-]+ [0-9:]{8}  watching diary.db\n$")), "\(log)")
  }

  @Test func `a pipe that nobody reads is not reported`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ exec 3> >(:); wait $!; openwo help >&3
      [141]
      $ exec 3> >(:); wait $!; openwo show @ >&3
      [141]
      """)
  }
}

import OpenWO
import Testing

@testable import workouts

/// Two processes of one device with the same database.
struct TwoProcessTests {
  @Test func `two apps log at the same time and every session is in one line of history`() throws {
    let desk = try Desk()
    try desk.open().close()
    let apps = try (1...2).map { _ in
      try RunningApp("workouts", [desk.database, "run", "--every", "0.02"], desk)
    }
    for _ in 1...6 {
      for app in apps { try app.line("logged") }
    }
    for app in apps { app.interrupt() }
    for app in apps { #expect(try app.ended() == 0) }
    let said = apps.flatMap(\.lines)
    #expect(said.filter { $0.contains("problem") || $0.contains("error") } == [])
    let store = try desk.open()
    let logged = said.count { $0.hasPrefix("logged") }
    #expect(try store.read { db in try Session.latest(1000, in: db) }.count == logged)
    let line = try store.history().allSatisfy { $0.version.parents.count < 2 }
    #expect(line, "\(said.joined(separator: "\n"))")
    #expect(try desk.sqlite3("PRAGMA integrity_check") == "ok\n")
  }

  @Test func `a running app yields to a lock and then has the edited rows`() throws {
    let desk = try Desk()
    try desk.open().close()
    let app = try RunningApp("workouts", [desk.database, "run", "--every", "0.02"], desk)
    for round in 1...3 {
      try app.line("logged")
      #expect(try desk.run("openwo", "lock", desk.database, "--note", "names").status == 0)
      // The shell does not wait: the file is free the moment that `lock` returns.
      let before = try desk.sqlite3(
        "BEGIN EXCLUSIVE; UPDATE workout SET name = 'Round \(round).' || id; COMMIT; "
          + "SELECT count(*) FROM session")
      try app.line("* locked by")
      #expect(try desk.sqlite3("SELECT count(*) FROM session") == before)
      #expect(try desk.run("openwo", "unlock", desk.database).status == 0)
      try app.line("* unlocked")
      try app.line { $0.hasPrefix("logged") && $0.contains("Round \(round).") }
    }
    app.interrupt()
    #expect(try app.ended() == 0)
    let logged = app.lines.count { $0.hasPrefix("logged") }
    #expect(try desk.sqlite3("SELECT count(*) FROM session") == "\(logged)\n")
    #expect(app.lines.filter { $0.contains("problem") } == [])
  }

  @Test func `an app that is killed loses no session and leaves none half logged`() throws {
    let desk = try Desk()
    try desk.open().close()
    for _ in 1...3 {
      let before = try desk.open().read { db in try Session.latest(1000, in: db).count }
      let app = try RunningApp("workouts", [desk.database, "run", "--every", "0.001"], desk)
      for _ in 1...4 { try app.line("logged") }
      app.kill9()
      try app.ended()
      let logged = app.lines.count { $0.hasPrefix("logged") }
      let store = try desk.open()
      let sessions = try store.read { db in try Session.latest(1000, in: db) }
      // The last one may have been written and not yet told.
      #expect(
        (logged...logged + 1).contains(sessions.count - before),
        "\(app.lines.joined(separator: "\n"))")
      #expect(sessions.allSatisfy { $0.exercises == 3 })
      #expect(try store.history().first?.isLive == true)
      try store.close()
      #expect(try desk.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok\n")
    }
  }
}

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
}

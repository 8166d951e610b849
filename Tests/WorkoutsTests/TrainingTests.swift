import ExampleShared
import OpenWO
import Testing

@testable import workouts

/// Logging sessions, and the daily challenge.
struct TrainingTests {
  @Test func `a session is logged with all its exercises as one version`() throws {
    let desk = try Desk()
    let store = try desk.open()
    let session = try store.write { db in
      try Session.log(
        Plan(named: "full body a", in: db), [.done(80), .failed(60), .done(nil)],
        durationSeconds: 3000, feedback: "hard", in: db)
    }
    #expect(session.type == "Full body A" && session.exercises == 3 && session.failed == 1)
    #expect(session.durationSeconds == 3000 && session.feedback == "hard" && !session.isPartial)
    let logs = try store.read { db in
      try db.rows("SELECT weight, failed, achievedValue FROM exerciseLog ORDER BY id").map(\.values)
    }
    #expect(logs[0] == [.real(80), .integer(0), .integer(5)])
    #expect(logs[1] == [.real(60), .integer(1), .null])
    #expect(logs[2] == [.null, .integer(0), .integer(5)])
    #expect(try store.history().map(\.version.reason) == [.write, .create])
  }

  @Test func `a plan is edited, and what was logged stays in it`() throws {
    let desk = try Desk()
    let store = try desk.open()
    let plan = try store.write { db in
      let workout = try Workout.named("1", in: db)
      let first = try Plan(of: workout, in: db).entries[0].name
      let others = try db.rows("SELECT name FROM exercise ORDER BY id") { try $0.get(0) as String }
      let known = Set(try Plan(of: workout, in: db).entries.map(\.name))
      let new = try #require(others.first { !known.contains($0) })
      try Plan.set(first, "4x6", of: workout, in: db)
      try Plan.set(new, "3x12", of: workout, in: db)
      _ = try Session.log(Plan(named: "1", in: db), in: db)
      #expect(throws: Mistake.self) { try Plan.remove(first, of: workout, in: db) }
      #expect(throws: Mistake.self) { try Plan.set(first, "4", of: workout, in: db) }
      #expect(throws: Mistake.self) { try Plan.set("no such", "4x6", of: workout, in: db) }
      return try Plan(of: workout, in: db)
    }
    #expect(plan.entries.first?.sets == 4 && plan.entries.first?.target == 6)
    #expect(plan.entries.last?.sets == 3 && plan.entries.last?.target == 12)
    try store.write { db in
      let workout = try Workout.named("2", in: db)
      let name = try Plan(of: workout, in: db).entries[0].name
      try Plan.remove(name, of: workout, in: db)
      #expect(try !Plan(of: workout, in: db).entries.map(\.name).contains(name))
    }
  }

  @Test func `a session that cannot be logged completely is not logged`() throws {
    let desk = try Desk()
    let store = try desk.open()
    #expect(throws: Mistake.self) {
      try store.write { db in
        _ = try Session.log(Plan(named: "1", in: db), in: db)
        _ = try Session.log(Plan(named: "no such workout", in: db), in: db)
      }
    }
    #expect(try store.read { db in try Session.latest(9, in: db) } == [])
    #expect(try store.history().count == 1)
  }

  @Test func `a weight that is not given is that of the last set`() throws {
    let desk = try Desk()
    let store = try desk.open()
    let weights = try store.write { db in
      _ = try Session.log(Plan(named: "1", in: db), [.done(80), .leftOut], in: db)
      let second = try Session.log(Plan(named: "1", in: db), in: db)
      return try db.rows("SELECT weight FROM exerciseLog WHERE sessionId = ?", second.id) {
        try $0.get(0) as Double?
      }
    }
    #expect(weights == [80, nil, nil])
  }

  @Test func `an exercise left out makes the session partial`() throws {
    let desk = try Desk()
    let store = try desk.open()
    let session = try store.write { db in
      try Session.log(Plan(named: "1", in: db), [.leftOut], in: db)
    }
    #expect(session.isPartial && session.exercises == 2)
  }

  @Test func `outcomes are read from words`() throws {
    let words = ["60", "62.5", "60x", "x", "-"]
    #expect(
      try words.map(Outcome.init) == [.done(60), .done(62.5), .failed(60), .failed(nil), .leftOut])
    for word in ["", "heavy", "-5", "inf", "nan", "x60"] {
      #expect(throws: Mistake.self) { try Outcome(word) }
    }
  }

  @Test func `days in a row make a streak, a missed day ends it`() throws {
    let desk = try Desk()
    let store = try desk.open()
    let days = ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-01", "2026-03-03"]
    let found = try store.write { db in
      try days.map { try Challenge.completeSet(on: $0, in: db) }
    }
    #expect(found.map(\.streak) == [1, 2, 3, 3, 1])
    #expect(found.map(\.setsCompleted) == [1, 1, 1, 2, 1])
  }

  @Test(arguments: ["2026-02-30", "yesterday", "20261121", ""])
  func `an invalid day has no challenge`(word: String) throws {
    let desk = try Desk()
    let store = try desk.open()
    #expect(throws: Mistake.self) {
      try store.write { db in try Challenge.completeSet(on: word, in: db) }
    }
  }
}

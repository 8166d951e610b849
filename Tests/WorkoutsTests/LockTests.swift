import OpenWO
import Testing

@testable import workouts

/// The app while somebody holds the lock, and the lock as an action of the app.
struct LockTests {
  @Test func `while locked nothing is logged and the state from before can be read`() throws {
    let desk = try Desk()
    let store = try desk.open()
    let lock = try store.lock(LockRequest(note: "editing templates", outlivesProcess: true))
    try desk.sqlite3("UPDATE workout SET name = 'Edited' WHERE id = 1")
    let error = #expect(throws: StoreError.self) {
      try store.write { db in try Session.log(Plan(named: "1", in: db), in: db) }
    }
    #expect(error?.code == .locked && error?.lock?.id == lock.lock.id)
    #expect(try store.read { db in try Workout.named("1", in: db).name } == "Full body A")
    _ = try store.unlock()
    #expect(try store.read { db in try Workout.named("1", in: db).name } == "Edited")
    let session = try store.write { db in try Session.log(Plan(named: "1", in: db), in: db) }
    #expect(session.type == "Edited")
  }

  @Test func `the app says who holds the lock and offers reading`() throws {
    let desk = try Desk()
    #expect(try desk.run("workouts", desk.database, "log", "1").status == 0)
    let locked = try desk.run("workouts", desk.database, "lock", "editing", "templates")
    #expect(locked.status == 0 && locked.text.contains("workouts \(desk.database) unlock"))
    let refused = try desk.run("workouts", desk.database, "log", "1")
    #expect(refused.status == 11)
    #expect(refused.text.contains("on desk (workouts): editing templates; nothing was written"))
    #expect(refused.text.contains("workouts \(desk.database) list"))
    let read = try desk.run("workouts", desk.database, "sessions")
    #expect(read.status == 0 && read.text.contains("session 1"))
    try desk.sqlite3("INSERT INTO workout (name) VALUES ('Hike')")
    let unlocked = try desk.run("workouts", desk.database, "unlock")
    #expect(unlocked.status == 0 && unlocked.text.contains("workout: 1 new, 0 changed, 0 gone"))
    #expect(try desk.run("workouts", desk.database, "log", "hike").status == 0)
  }

  @Test func `a discarded edit leaves the templates as they were`() throws {
    let desk = try Desk()
    try desk.open().close()
    #expect(try desk.run("workouts", desk.database, "lock").status == 0)
    try desk.sqlite3("DELETE FROM workoutExercise; DELETE FROM workout")
    #expect(try desk.run("workouts", desk.database, "unlock", "--discard").status == 0)
    #expect(try desk.open().read { db in try Workout.all(in: db).count } == 4)
  }
}

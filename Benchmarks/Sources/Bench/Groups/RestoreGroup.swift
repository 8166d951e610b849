import Foundation
import OpenWO
import OpenWOHistory
import OpenWOSQLite

/// Bringing a version from the middle of a history back.
enum RestoreGroup {
  private static let days = 12

  static func run(_ context: Context) throws {
    for size in context.sizes([50, 500], short: [50]) {
      try measure(context, WorkoutDatabase.file(megabytes: size, in: context.data), "\(size) MB")
    }
  }

  private static func measure(_ context: Context, _ database: String, _ size: String) throws {
    let folder = try context.folder("restore")
    VersionsGroup.setEnvironment(folder)
    let store = try context.store("\(folder)/ours", of: database)
    defer { try? store.close() }
    let (file, archive) = ("\(folder)/peer.sqlite", "\(folder)/restic")
    try context.copy(database, to: file)
    let hasRestic = Child.exists("restic")
    if hasRestic { try Child("restic", "init", "-q", "-r", archive).run() }
    let db = try WrapperGroup.connect(file)
    for day in 1...days {
      try store.write { try WorkoutEdit.day(day, on: $0) }
      _ = try store.reconcile()
      try db.transaction { try WorkoutEdit.day(day, on: db) }
      if hasRestic { try Child("restic", "backup", "-q", "-r", archive, file).run() }
    }
    db.close()
    let history = try store.history()
    let (middle, newest) = (history[days / 2].version.id, history[0].version.id)
    var cases = [
      Case("restore", prepare: { _ = try store.restore(newest) }) { _ = try store.restore(middle) },
      Case("export", prepare: { context.remove("\(folder)/out.sqlite") }) {
        try store.export(middle, to: "\(folder)/out.sqlite")
      },
      Case(
        "cp", prepare: { context.remove("\(folder)/cp.sqlite") },
        Child("cp", file, "\(folder)/cp.sqlite")),
      Case(
        "cp and sync", prepare: { context.remove("\(folder)/cp.sqlite") },
        Child("sh", "-c", "cp \(file) \(folder)/cp.sqlite && sync \(folder)/cp.sqlite")),
    ]
    if hasRestic {
      let listed = try Child("restic", "snapshots", "--json", "-r", archive).output(
        through: "\(folder)/list")
      let ids = listed.split(separator: "\"short_id\":\"").dropFirst().map { String($0.prefix(8)) }
      cases.append(
        Case(
          "restic", prepare: { context.remove("\(folder)/restic-out") },
          Child(
            "restic", "restore", "-q", "-r", archive, ids[days / 2], "--target",
            "\(folder)/restic-out")))
    }
    let goals: [Goal] = [
      .atMost(4, times: "cp", .wall), .shown("cp and sync"),
      .atLeast(10, timesBetterThan: "restic"),
    ]
    let comparison = try Comparison(
      "restore", "\(size), restore of a middle version, durable",
      rounds: context.rounds(9, short: 5), cases,
      goals: goals)
    context.add(comparison)
    context.add(
      comparison.seen(
        as: "export", work: "\(size), export of a middle version, durable", goals: goals))
  }
}

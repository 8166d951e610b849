import CPeers
import Foundation
import OpenWOMerge
import OpenWOSQLite

/// A three-way merge, beside what it cannot do without: two differences, and writing one side's changes.
enum MergeGroup {
  static func run(_ context: Context) throws {
    try runLarge(context)
    let size = 50
    let folder = try context.folder("merge")
    let base = try WorkoutDatabase.file(megabytes: size, in: context.data)
    let (ours, theirs) = ("\(folder)/ours.sqlite", "\(folder)/theirs.sqlite")
    for (path, seed) in [(ours, UInt64(11)), (theirs, 12)] {
      try context.copy(base, to: path)
      let db = try WrapperGroup.connect(path)
      try db.transaction { try WorkoutEdit.spread(1000, seed: seed, on: db) }
      db.close()
    }
    guard Child.exists("sqldiff") else {
      return context.report.skip("merge", "sqldiff is not installed")
    }
    let (merged, applied) = ("\(folder)/merged.sqlite", "\(folder)/applied.sqlite")
    let script = "\(folder)/theirs.sql"
    // Both sides have used the same new keys. Overwriting is wrong, and what a script can do.
    let changes =
      try "BEGIN;"
      + Child("sqldiff", base, theirs).output(through: script)
      .replacingOccurrences(of: "INSERT INTO", with: "INSERT OR REPLACE INTO") + "COMMIT;"
    try changes.write(toFile: script, atomically: false, encoding: .utf8)
    context.add(
      try Comparison(
        "merge", "\(size) MB, three-way merge, 1,000 rows a side",
        rounds: context.rounds(9, short: 5),
        [
          Case("merge", prepare: { try context.copy(ours, to: merged) }) {
            try merge(base, ours, theirs, into: merged)
          },
          Case("two differences, changes applied", prepare: { try context.copy(ours, to: applied) })
          {
            let before = try WrapperGroup.connect(base, .readOnly)
            for path in [ours, theirs] {
              let after = try WrapperGroup.connect(path, .readOnly)
              var options = DifferenceOptions()
              options.rows = .all
              _ = try difference(from: before, to: after, options: options)
              after.close()
            }
            before.close()
            let copy = try WrapperGroup.connect(applied)
            try copy.executeScript("PRAGMA synchronous = OFF")
            try copy.executeScript(changes)
            copy.close()
          },
          Case(
            "sqldiff twice, changes applied", prepare: { try context.copy(ours, to: applied) },
            Child(
              "sh", "-c",
              """
              sqldiff \(base) \(ours) >\(folder)/a && sqldiff \(base) \(theirs) >\(folder)/b && \
              { echo 'PRAGMA synchronous = OFF;'; cat \(script); } | sqlite3 \(applied)
              """, accepted: [1])),
        ],
        goals: [
          .atMost(3, times: "two differences, changes applied", .wall),
          .shown("sqldiff twice, changes applied"),
        ]))
  }

  /// Each side has changed another column of each of a million rows.
  private static func runLarge(_ context: Context) throws {
    let count = 1_000_000
    let folder = try context.folder("large")
    let names = ["base", "ours", "theirs", "merged"]
    let paths = names.map { "\(folder)/large-\($0).sqlite" }
    let db = try WrapperGroup.connect(paths[0], .create)
    try db.executeScript(
      """
      CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT NOT NULL, stars INTEGER NOT NULL, text TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO note SELECT i, 'title ' || i, i % 5, 'a text of forty letters for row ' || i FROM n;
      """)
    db.close()
    for (path, change) in zip(
      paths[1...], ["title = title || ', changed'", "stars = stars + 1"])
    {
      try context.copy(paths[0], to: path)
      let side = try WrapperGroup.connect(path)
      try side.executeScript("UPDATE note SET \(change)")
      side.close()
    }
    let child = Child(
      CommandLine.arguments[0], "--child", "merge", paths[0], paths[1], paths[2], paths[3])
    context.add(
      try Comparison(
        "merge", "three-way merge in a process of its own, \(count) rows changed a side",
        rounds: context.rounds(3, short: 1), warmUps: 0,
        [Case("merge", prepare: { try context.copy(paths[1], to: paths[3]) }, child)],
        goals: [.atMost(10), .atMost(256e6, .memory)]))
    for path in paths { try FileManager.default.removeItem(atPath: path) }
  }

  /// Merges into a copy of our side.
  static func merge(
    _ base: String, _ ours: String, _ theirs: String, into merged: String
  ) throws {
    let sides = try Sides(
      ours: WrapperGroup.connect(ours, .readOnly),
      theirs: WrapperGroup.connect(theirs, .readOnly))
    let before = try WrapperGroup.connect(base, .readOnly)
    var options = MergeOptions(times: Sides(ours: 1, theirs: 2), first: .ours)
    // As a store does it: what is too much for memory goes into a file.
    let aside = merged + "-aside"
    let spill = SpillFile { try WrapperGroup.connect(aside, .create) }
    defer {
      spill.close()
      try? FileManager.default.removeItem(atPath: aside)
    }
    options.spill = spill
    let plan = try MergePlanner(
      base: before, ours: sides.ours, theirs: sides.theirs, options: options
    ).plan()
    let copy = try WrapperGroup.connect(merged)
    try copy.executeScript("PRAGMA synchronous = OFF")
    _ = try plan.write(into: copy)
    for db in [copy, before, sides.ours, sides.theirs] { db.close() }
  }
}

import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

/// Two phones log workouts for a week without seeing one another.
struct WorkoutWeekTests {
  private static let schema = """
    CREATE TABLE exercise(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, target INTEGER);
    CREATE TABLE workout(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
    CREATE TABLE session(id INTEGER PRIMARY KEY AUTOINCREMENT,
      workout INTEGER NOT NULL REFERENCES workout(id), day TEXT NOT NULL, mark TEXT NOT NULL);
    CREATE TABLE part(id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
      exercise INTEGER NOT NULL REFERENCES exercise(id), place INTEGER NOT NULL, UNIQUE(session, place));
    CREATE TABLE lift(id INTEGER PRIMARY KEY AUTOINCREMENT,
      part INTEGER NOT NULL REFERENCES part(id) ON DELETE CASCADE,
      weight REAL NOT NULL, repetitions INTEGER NOT NULL, mark TEXT NOT NULL UNIQUE);
    CREATE TABLE settings(id INTEGER PRIMARY KEY CHECK (id = 1), unit TEXT, updatedAt TEXT);
    INSERT INTO exercise(name, target) VALUES('Squat', 5), ('Press', 5), ('Row', 8);
    INSERT INTO workout(name) VALUES('A'), ('B');
    INSERT INTO settings VALUES(1, 'kg', '2026-11-01T00:00:00Z');
    """

  /// A set: its device, its session, its exercise and its weight.
  private static let sets = """
    SELECT l.mark, s.mark, s.day, e.name, l.weight FROM lift l JOIN part p ON p.id = l.part
    JOIN session s ON s.id = p.session JOIN exercise e ON e.id = p.exercise ORDER BY l.mark
    """

  /// Logs one session, and says what its sets are.
  private func train(_ rig: Rig, _ device: String, day: Int) throws -> [String] {
    let exercises = ["Squat", "Press", day.isMultiple(of: 2) ? "Dip" : "Row", "\(device)'s curl"]
    var expected: [String] = []
    try rig.on(device) { store in
      try store.write { db in
        let session = "\(device)-\(day)"
        try db.execute(
          "INSERT INTO session(workout, day, mark) VALUES(?, ?, ?)", 1 + day % 2,
          "2026-11-\(10 + day)", session)
        for (place, exercise) in exercises.enumerated() {
          try db.execute("INSERT OR IGNORE INTO exercise(name) VALUES(?)", exercise)
          try db.execute(
            """
            INSERT INTO part(session, exercise, place) VALUES(
              (SELECT id FROM session WHERE mark = ?), (SELECT id FROM exercise WHERE name = ?), ?)
            """, session, exercise, place)
          for number in 0..<(3 + place % 2) {
            let (mark, weight) = ("\(session)-\(place)-\(number)", 40.5 + Double(5 * day + place))
            try db.execute(
              """
              INSERT INTO lift(part, weight, repetitions, mark)
              SELECT max(id), ?, ?, ? FROM part WHERE place = ?
              """, weight, 8 - number, mark, place)
            expected.append("\(mark)|\(session)|2026-11-\(10 + day)|\(exercise)|\(weight)")
          }
        }
      }
    }
    return expected
  }

  private func rig(_ settling: SettlePolicy) throws -> Rig {
    let rig = try Rig(["Ana", "Ben"])
    rig.settling = settling
    try rig.start(Self.schema)
    return rig
  }

  private func read(_ rig: Rig, _ device: String, _ sql: String) throws -> [String] {
    try rig.place.sqlite3(sql, rig.database(device)).split(separator: "\n").map(String.init)
  }

  @Test func `every set of both sides is there, under its own session`() throws {
    let rig = try rig(.merge)
    var expected: [String] = []
    for day in 0..<7 {
      for device in rig.devices { expected += try train(rig, device, day: day) }
      rig.clock.advance(milliseconds: 86_400_000)
    }
    try rig.on("Ana") { store in
      try store.write { db in
        try db.execute("UPDATE exercise SET target = 10 WHERE name = 'Squat'")
        try db.execute("UPDATE settings SET unit = 'lb', updatedAt = '2026-11-12T00:00:00Z'")
        try db.execute("UPDATE workout SET name = 'Legs' WHERE id = 1")
      }
    }
    try rig.on("Ben") { store in
      try store.write { db in
        try db.execute("UPDATE exercise SET name = 'Back squat' WHERE name = 'Squat'")
        try db.execute("UPDATE settings SET unit = 'st', updatedAt = '2026-11-11T00:00:00Z'")
      }
    }
    expected = expected.map { $0.replacing("|Squat|", with: "|Back squat|") }.sorted()
    try rig.settle()
    for device in rig.devices {
      #expect(try read(rig, device, Self.sets) == expected)
      #expect(
        try read(rig, device, "SELECT name, target FROM exercise ORDER BY id LIMIT 1")
          == ["Back squat|10"])
      // One Dip, though both phones made it; one's own curl each.
      #expect(try read(rig, device, "SELECT count(*) FROM exercise") == ["6"])
      #expect(try read(rig, device, "SELECT name FROM workout ORDER BY id") == ["Legs", "B"])
      #expect(try read(rig, device, "SELECT unit FROM settings") == ["lb"])
      #expect(try read(rig, device, "PRAGMA foreign_key_check; PRAGMA integrity_check") == ["ok"])
    }
    #expect(
      try rig.place.bytes(rig.database("Ana")) == rig.place.bytes(rig.database("Ben")))
    let versions = try rig.on("Ana") { try $0.history().map(\.version) }
    #expect(VersionGraph(versions).effectiveHeads.count == 1)
  }

  @Test func `a side that the last writer set aside a week ago is merged by hand`() throws {
    let rig = try rig(.lastWriterWins)
    var expected: [String] = []
    for day in 0..<7 {
      for device in rig.devices { expected += try train(rig, device, day: day) }
    }
    try rig.settle()
    #expect(try read(rig, "Ana", Self.sets).count == expected.count / 2)
    let history = try rig.on("Ana") { try $0.history().map(\.version) }
    let settled = try #require(history.first { $0.reason == .settle })
    let lost = try #require(
      history.first { settled.parents.contains($0.id) && $0.content != settled.content })
    let done = try rig.on("Ana") { try $0.merge(.version(lost.id)) }
    #expect(done.tables.first { $0.table == "lift" }?.fromTheirs == expected.count / 2)
    try rig.settle()
    for device in rig.devices { #expect(try read(rig, device, Self.sets) == expected.sorted()) }
  }
}

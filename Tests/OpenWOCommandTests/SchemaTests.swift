import ArgumentParser
import Foundation
import Testing

@testable import OpenWOCommand

/// `docs/openwo.schema.json` and `docs/SCRIPTING.md` say what is printed, and nothing else is printed.
struct SchemaTests {
  private static let docs = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs")

  private static func schema() throws -> JSONSchema {
    let data = try Data(contentsOf: docs.appending(path: "openwo.schema.json"))
    return JSONSchema(
      root: try #require(JSONSerialization.jsonObject(with: data) as? [String: Any]))
  }

  /// The commands in a folder with a store that a phone has too; each line may print documents.
  private static let scenes = [
    """
    status diary.db
    init other.db --dry-run
    init other.db
    status diary.db --lang ja
    version
    bogus
    devices
    doctor
    doctor --repair --dry-run
    doctor --repair
    doctor --restore-all
    devices --forget phone --dry-run
    rules
    rules --policy session=union --key exercise=name --reference session.weight=exercise.id --dry-run
    """,
    """
    edit --dry-run -- true
    edit -- sqlite3 {} "UPDATE session SET weight = 45.0"
    lock --note why --for 2h
    lock
    status
    doctor
    unlock --dry-run
    unlock
    history
    history --all
    history --row exercise 1
    diff @~1 --rows
    query 'SELECT * FROM session'
    show @ -o ../copy.db
    export -o ../export.json
    undo
    restore @~1 --dry-run
    restore @~1 --table session
    restore @~1
    history --pin @ here
    history
    history --unpin here
    prune --dry-run
    prune --keep-last 1
    """,
    """
    conflicts
    status
    sync --dry-run
    sync
    conflicts
    conflicts show @~1
    merge @~1
    merge --all --dry-run
    merge --all
    leave --dry-run
    leave
    """,
    """
    sync
    status
    recover -o ../recovered.db
    doctor
    leave
    """,
  ]

  private static func make(_ scene: Int) throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE exercise(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE session(id INTEGER PRIMARY KEY, weight REAL);
        INSERT INTO exercise VALUES(1, 'Squat'); INSERT INTO session VALUES(1, 42.5)"
      openwo init -q diary.db; on phone openwo sync -q
      """)
    switch scene {
    case 0: try stage.text("sqlite3 other.db 'CREATE TABLE t(a)'")
    case 1: try stage.text("export OPENWO_DB=diary.db")
    case 2:
      try stage.text(
        """
        f=diary.sync-conflict-20261120-093011-ABCDEFG.db; cp diary.db $f
        sqlite3 $f "INSERT INTO exercise VALUES(2, x'00FF')"
        openwo edit -q -- sqlite3 {} "INSERT INTO exercise VALUES(2, 1e400)"
        """)
    default: try stage.text("head -c 5000 diary.db > t; cat t > diary.db; rm t")
    }
    return stage
  }

  @Test(arguments: scenes.indices)
  func `every document is as the schema says`(scene: Int) throws {
    let schema = try Self.schema()
    let stage = try Self.make(scene)
    for line in Self.scenes[scene].split(separator: "\n") {
      var words = String(line)
      let end = words.range(of: " -- ")?.lowerBound ?? words.endIndex
      words.insert(contentsOf: " --json", at: end)
      let result = try stage.run("OPENWO_DB=${OPENWO_DB:-diary.db} openwo \(words)")
      for text in [result.text, result.remarkText] {
        for document in text.split(separator: "\n") where document.hasPrefix("{") {
          let value = try JSONSerialization.jsonObject(with: Data(document.utf8))
          let faults = schema.faults(in: value)
          #expect(faults.isEmpty, "\(line)\n\(document)\n\(faults.joined(separator: "\n"))")
        }
      }
      #expect(
        (result.text + result.remarkText).contains("{\"schema\":\"openwo/1\""), "\(line)")
    }
  }

  @Test func `the schema would notice another field, a missing one, and another type`() throws {
    let schema = try Self.schema()
    let good: [String: Any] = [
      "schema": "openwo/1", "command": "devices", "database": "/d", "devices": [Any](),
    ]
    #expect(schema.faults(in: good).isEmpty)
    var bad = good
    bad["extra"] = 1
    #expect(!schema.faults(in: bad).isEmpty)
    bad = good
    bad["devices"] = nil
    #expect(!schema.faults(in: bad).isEmpty)
    bad = good
    bad["devices"] = ["a"]
    #expect(!schema.faults(in: bad).isEmpty)
  }

  @Test func `the page names every field of the schema`() throws {
    let page = try String(contentsOf: Self.docs.appending(path: "SCRIPTING.md"), encoding: .utf8)
    for name in try Self.schema().fields.sorted() {
      #expect(page.contains("`\(name)`"), "\(name)")
    }
  }

  @Test func `the page has the statuses of every verb`() throws {
    let page = try String(contentsOf: Self.docs.appending(path: "SCRIPTING.md"), encoding: .utf8)
    for verb in OpenWOCommand.configuration.groupedSubcommands.flatMap(\.subcommands) {
      let name = verb.configuration.commandName ?? ""
      let statuses = ExitStatuses.of(name).map { "\($0.status)" }.joined(separator: " ")
      #expect(page.contains("| `\(name)` | \(statuses) |"), "| `\(name)` | \(statuses) |")
    }
  }
}

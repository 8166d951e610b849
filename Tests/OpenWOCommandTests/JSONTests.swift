import Foundation
import Testing

/// The fields that others rely on: DESIGN's table, verb by verb.
struct JSONTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; on phone openwo sync")
    return stage
  }

  /// Checks what every document has, and that these fields are there.
  private func check(
    _ document: [String: Any], _ command: String, _ fields: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(document["schema"] as? String == "openwo/1", sourceLocation: sourceLocation)
    #expect(document["command"] as? String == command, sourceLocation: sourceLocation)
    let database = document["database"] as? String ?? ""
    #expect(database.hasSuffix("/Training/diary.db"), sourceLocation: sourceLocation)
    for field in fields.split(separator: " ") {
      #expect(document[String(field)] != nil, "\(field)", sourceLocation: sourceLocation)
    }
  }

  private func keys(_ value: Any?) -> Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
  private func first(_ value: Any?) -> Any? { (value as? [Any])?.first }

  @Test func `init`() throws {
    let stage = try MainJobTests.stage()
    let document = try stage.json("openwo init --json diary.db")
    check(document, "init", "store device head")
    #expect(keys(document["device"]).isSuperset(of: ["id", "name"]))
  }

  @Test func status() throws {
    let stage = try stage()
    let document = try stage.json("openwo status --json")
    check(
      document, "status",
      "state device head content lock conflicts devices availability network lastLocalSaveAt "
        + "lastCheckedAt lastError")
    #expect(document["state"] as? String == "synced")
    #expect(document["lock"] is NSNull)
    #expect(keys(first(document["devices"])).isSuperset(of: ["id", "name", "head", "lastSeen"]))
    #expect((document["devices"] as? [Any])?.count == 2)
    let saved = try #require(document["lastLocalSaveAt"] as? String)
    #expect(saved.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
  }

  @Test func `lock and unlock`() throws {
    let stage = try stage()
    let document = try stage.json("openwo lock --note why --for 2h --json")
    check(document, "lock", "lock")
    let fields: Set = [
      "id", "device", "deviceName", "user", "host", "note", "since", "until", "acknowledgedBy",
      "waitingFor", "newerOn",
    ]
    #expect(keys(document["lock"]).isSuperset(of: fields))
    let status = try stage.json("openwo status --json")
    #expect(keys(status["lock"]).isSuperset(of: fields))
    #expect(status["state"] as? String == "locked")
    try stage.text("sqlite3 diary.db 'DELETE FROM session'")
    let unlocked = try stage.json("openwo unlock --json")
    check(unlocked, "unlock", "version changes schemaChanged foldedWAL")
    let change = try #require(first(unlocked["changes"]) as? [String: Any])
    #expect(change["table"] as? String == "session")
    #expect(change["deleted"] as? Int == 1)
    #expect(keys(change).isSuperset(of: ["inserted", "updated"]))
    try stage.text("openwo lock")
    let unchanged = try stage.json("openwo unlock --json")
    #expect(unchanged["version"] is NSNull)
  }

  @Test func `edit`() throws {
    let document = try stage().json(
      "openwo edit --json -- sqlite3 {} 'DELETE FROM session'")
    check(document, "edit", "version changes schemaChanged foldedWAL status")
  }

  @Test func `history, show and restore`() throws {
    let stage = try stage()
    try stage.text("openwo edit -q -- sqlite3 {} 'DELETE FROM session'")
    let document = try stage.json("openwo history --json")
    check(document, "history", "versions")
    let versions = try #require(document["versions"] as? [[String: Any]])
    #expect(versions.map { $0["live"] as? Bool } == [true, false])
    #expect(
      keys(versions[0]).isSuperset(of: [
        "id", "parents", "device", "deviceName", "at", "content", "bytes", "reason", "note", "live",
      ]))
    let parent = try #require(versions[1]["id"] as? String)
    #expect(versions[0]["parents"] as? [String] == [parent])
    check(
      try stage.json("openwo show @ -o ../copy.db --json"), "show", "version output bytes content")
    let restored = try stage.json("openwo restore @~1 --json")
    check(restored, "restore", "version restored previous")
    #expect(restored["restored"] as? String == versions[1]["id"] as? String)
    #expect(restored["previous"] as? String == versions[0]["id"] as? String)
  }

  @Test func `conflicts, devices, sync and doctor`() throws {
    let stage = try stage()
    try stage.text("openwo lock; sqlite3 diary.db 'DELETE FROM session'")
    try stage.text(
      """
      f=diary.sync-conflict-20261120-093011-ABCDEFG.db
      cp diary.db $f; sqlite3 $f "UPDATE exercise SET name = 'Row'"
      """)
    let conflicts = try stage.json("openwo conflicts --json")
    check(conflicts, "conflicts", "open settled")
    #expect(
      keys(first(conflicts["open"])).isSuperset(of: ["path", "service", "relation", "modifiedAt"]))
    try stage.text("openwo unlock --discard")
    let sync = try stage.json("openwo sync --json")
    check(sync, "sync", "actions head")
    #expect(keys(first(sync["actions"])).contains("kind"))
    let settled = first(try stage.json("openwo conflicts --json")["settled"])
    #expect(keys(settled).isSuperset(of: ["winner", "loser", "at", "path"]))
    check(try stage.json("openwo devices --json"), "devices", "devices")
    let doctor = try stage.json("openwo doctor --json")
    check(doctor, "doctor", "findings")
    #expect(
      keys(first(doctor["findings"])).isSuperset(of: ["code", "severity", "message", "hint"]))
  }

  @Test func `diff and merge`() throws {
    let stage = try stage()
    try stage.text(
      """
      cp diary.db ../copy.db; sqlite3 ../copy.db "UPDATE exercise SET name = 'Row' WHERE id = 1"
      openwo edit -q -- sqlite3 {} "UPDATE exercise SET name = 'Dip' WHERE id = 1"
      """)
    let diff = try stage.json("openwo diff @ ../copy.db --rows --json")
    check(diff, "diff", "equal schemaChanges tables")
    let changed = try #require(first(diff["tables"]) as? [String: Any])
    #expect(
      keys(changed).isSuperset(of: ["table", "inserted", "updated", "deleted", "rows"]))
    #expect((changed["rows"] as? [Any])?.count == 1)
    check(
      try stage.json("openwo conflicts show ../copy.db --json"), "conflicts",
      "equal schemaChanges tables")
    let merged = try stage.json("openwo merge ../copy.db --json")
    check(merged, "merge", "version tables")
    #expect(merged["version"] is String)
    let table = try #require(first(merged["tables"]) as? [String: Any])
    #expect(
      keys(table).isSuperset(of: [
        "table", "fromOurs", "fromTheirs", "converged", "decided", "renumbered",
      ]))
    #expect((table["decided"] as? [Any])?.count == 1)
  }

  @Test func `version`() throws {
    let document = try Stage().json("openwo version --json")
    #expect(document["version"] as? String == "0.1.0")
    let sqlite = try #require(document["sqlite"] as? String)
    #expect(sqlite.wholeMatch(of: /3\.\d+\.\d+/) != nil, "\(sqlite)")
    #expect(document["database"] is NSNull)
  }

  @Test func `errors go to standard error`() throws {
    let stage = try stage()
    try stage.text("openwo lock")
    let result = try stage.run("openwo lock --json")
    #expect(result.status == 11)
    #expect(result.output.isEmpty)
    let error = try #require(
      JSONSerialization.jsonObject(with: result.remarks) as? [String: Any])
    #expect(error["error"] as? String == "locked")
    #expect(error["exit"] as? Int == 11)
    #expect(keys(error).isSuperset(of: ["message", "hint"]))
    #expect(keys(error["lock"]).contains("deviceName"))
  }
}

import Foundation
import Testing

/// `openwo mcp`: the conversation, and what an assistant looks at.
struct AssistantTests {
  private func assistant(_ options: String = "diary.db") throws -> Assistant {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE entry(id INTEGER PRIMARY KEY, text TEXT, n);
        INSERT INTO entry SELECT value, 'text ' || value, value / 2.0 FROM generate_series(1, 250)"
      openwo init -q diary.db
      """)
    return Assistant(stage: stage, options: options)
  }

  private static let names = [
    "status", "schema", "history", "diff", "conflicts", "query", "preview_edit", "edit", "undo",
    "restore", "merge",
  ]

  private func initialize(_ version: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
  }

  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01"])
  func `an assistant of the handshake era is answered in its version`(version: String) throws {
    let answers = try assistant().say(
      initialize(version), #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":\#(Assistant.stamp)}}"#,
      #"{"jsonrpc":"2.0","id":5,"method":"server/discover"}"#, Assistant.call(6, "status"))
    let known = version == "1999-01-01" ? "2025-11-25" : version
    #expect(answers.result(1)?["protocolVersion"] as? String == known)
    #expect(answers.result(2)?.isEmpty == true)
    let tools = try #require(answers.result(3)?["tools"] as? [[String: Any]])
    #expect(tools.compactMap { $0["name"] as? String } == Self.names)
    #expect(answers.code(4) == -32600 && answers.code(5) == -32601)
    #expect(answers.content(6)["state"] as? String == "synced")
    #expect(answers.status == 0 && answers.remarks.isEmpty)
  }

  @Test func `an assistant of the newer era says with each request which version it speaks`() throws
  {
    let stamp = Assistant.stamp
    let answers = try assistant().say(
      #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":\#(stamp)}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":\#(stamp)}}"#,
      Assistant.call(3, "status", meta: stamp), Assistant.call(4, "status"),
      Assistant.call(
        5, "status", meta: stamp.replacingOccurrences(of: "2026-07-28", with: "2031-01-01")),
      #"{"jsonrpc":"2.0","id":6,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
      #"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":\#(stamp)}}"#)
    for id in 1...3 { #expect(answers.result(id)?["resultType"] as? String == "complete") }
    for id in 1...2 { #expect(answers.result(id)?["ttlMs"] is Int) }
    #expect(answers.result(1)?["supportedVersions"] as? [String] == ["2026-07-28"])
    #expect(answers.content(3)["state"] as? String == "synced")
    #expect(answers.code(4) == -32602 && answers.code(5) == -32022)
    #expect(answers.code(6) == -32022 && answers.code(7) == -32601)
    let data = (answers.message(5)?["error"] as? [String: Any])?["data"] as? [String: Any]
    #expect(data?["supported"] as? [String] == ["2026-07-28"])
  }

  @Test func `a malformed message is refused, and the conversation continues`() throws {
    let deep = String(repeating: "[", count: 500)
    let answers = try assistant().say(
      "garbage", "", deep, "[]", "7", #"{"jsonrpc":"2.0"}"#, #"{"id":1,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":7}"#, #"{"jsonrpc":"2.0","id":[3],"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"ping","params":[]}"#, "\u{feff}{}",
      #"{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":5,"result":{}}"#, #"{"jsonrpc":"2.0","method":"unknown"}"#,
      #"{"jsonrpc":"2.0","id":6,"method":"resources/list"}"#, Assistant.call(7, "nothing"),
      #"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"status","arguments":[]}}"#,
      #"{"jsonrpc":"2.0","id":9,"method":"ping"}"#)
    #expect(
      answers.codes == [-32700, -32700, -32600, -32600, -32600, -32600, -32700, -32700])
    #expect(answers.code(1) == -32600 && answers.code(2) == -32600 && answers.code(4) == -32602)
    #expect(answers.message(5) == nil && answers.code(6) == -32601)
    #expect(answers.code(7) == -32602 && answers.code(8) == -32602)
    #expect(answers.result(9) != nil && answers.status == 0)
  }

  @Test func `a line without end is passed over`() throws {
    let stage = try assistant().stage
    let text = try stage.text(
      """
      { head -c 9000000 /dev/zero | tr '\\0' x; echo; echo '{"jsonrpc":"2.0","id":1,"method":"ping"}'; } \
        | openwo mcp diary.db
      """)
    #expect(text.contains("-32700") && text.contains(#""id":1,"result":{}"#))
  }

  @Test func `invalid arguments are reported to the assistant, with the tool's parameters`() throws
  {
    let answers = try assistant().say(
      Assistant.call(1, "query"), Assistant.call(2, "query", #"{"sql":7}"#),
      Assistant.call(3, "query", #"{"sql":"SELECT 1","sgl":1}"#),
      Assistant.call(4, "query", #"{"sql":"SELECT 1","params":[[1]]}"#),
      Assistant.call(5, "query", #"{"sql":"SELECT ?","params":[]}"#),
      Assistant.call(6, "query", #"{"sql":"SELECT :a","params":{"b":1}}"#),
      Assistant.call(7, "query", #"{"sql":"SELECT 1","at":"/etc/passwd"}"#),
      Assistant.call(8, "edit", #"{"statements":[]}"#),
      Assistant.call(9, "query", #"{"sql":"SELECT 1","store":"other"}"#),
      Assistant.call(10, "query", #"{"sql":"DELETE FROM entry"}"#),
      Assistant.call(11, "query", #"{"sql":"SELECT 1","cursor":"7"}"#),
      Assistant.call(12, "query", #"{"sql":"SELECT zeroblob(900000000)"}"#),
      Assistant.call(13, "query", #"{"sql":"SELECT zeroblob(5000000), zeroblob(5000000)"}"#),
      Assistant.call(
        14, "preview_edit",
        #"{"statements":[{"sql":"UPDATE entry SET n = zeroblob(900000000) WHERE id = 1"}]}"#))
    for id in 1...14 {
      #expect(answers.isError(id) == true, "\(id)")
      #expect((answers.content(id)["hint"] as? String)?.isEmpty == false)
    }
  }

  @Test func `values go to the database and come back as they are`() throws {
    let answers = try assistant().say(
      Assistant.call(
        1, "query",
        #"{"sql":"SELECT ?, ?, ?, ?, ?, ?, ?","params":[null,9007199254740993,0.25,{"real":"1"},"日\u0000\u202E",{"blob":"00ff"},true]}"#
      ),
      Assistant.call(2, "query", #"{"sql":"SELECT $a + @b","params":{"$a":40,"b":2}}"#))
    let row = try #require((answers.content(1)["rows"] as? [[Any]])?.first)
    #expect(
      row[0] is NSNull && row[1] as? Int == 9_007_199_254_740_993 && row[2] as? Double == 0.25)
    #expect(row[3] as? Double == 1)
    #expect(row[4] as? String == "日\0\u{202E}" && (row[5] as? [String: String]) == ["blob": "00FF"])
    #expect(row[6] as? Int == 1 && answers.content(2)["rows"] as? [[Int]] == [[42]])
  }

  @Test func `long answers come page by page, of one state`() throws {
    let assistant = try assistant()
    let query = #""sql":"SELECT id FROM entry ORDER BY id","limit":100"#
    var (ids, cursor, pages): ([Int], String?, Int) = ([], nil, 0)
    repeat {
      let more = cursor.map { #","cursor":"\#($0)""# } ?? ""
      let page = try assistant.call("query", "{\(query)\(more)}").content(1)
      ids += try #require(page["rows"] as? [[Int]]).map { $0[0] }
      cursor = page["nextCursor"] as? String
      pages += 1
    } while cursor != nil
    #expect(ids == Array(1...250) && pages == 3)

    let first = try #require(
      try assistant.call("query", "{\(query)}").content(1)["nextCursor"] as? String)
    try assistant.stage.text("openwo edit -q diary.db -- sqlite3 {} 'UPDATE entry SET n = 0'")
    let stale = try assistant.call("query", #"{\#(query),"cursor":"\#(first)"}"#)
    #expect(stale.content(1)["error"] as? String == "headMoved")

    let diff = try assistant.call("diff", #"{"from":"@~1","to":"@"}"#).content(1)
    let next = try #require(diff["nextCursor"] as? String)
    let rest = try assistant.call(
      "diff", #"{"from":"@~1","to":"@","limit":1000,"cursor":"\#(next)"}"#)
    func rows(_ content: [String: Any]) -> Int {
      (content["tables"] as? [[String: Any]] ?? []).reduce(0) {
        $0 + (($1["rows"] as? [Any])?.count ?? 0)
      }
    }
    #expect(rows(diff) == 100 && rows(rest.content(1)) == 150)
    #expect(rest.content(1)["nextCursor"] is NSNull)
    let versions = try assistant.call("history", #"{"limit":1}"#).content(1)
    #expect((versions["versions"] as? [Any])?.count == 1 && versions["nextCursor"] is String)
  }

  @Test func `looking writes nothing in the folder, and read-only mode offers only that`() throws {
    let assistant = try assistant("diary.db --read-only")
    let look =
      "find . -printf '%p %T@ %C@ ' | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum"
    let before = try assistant.stage.text(look)
    let answers = try assistant.say(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, Assistant.call(2, "status"),
      Assistant.call(3, "schema"), Assistant.call(4, "history"), Assistant.call(5, "diff"),
      Assistant.call(6, "conflicts"), Assistant.call(7, "query", #"{"sql":"SELECT 1"}"#),
      Assistant.call(8, "edit", #"{"statements":[{"sql":"DELETE FROM entry"}]}"#))
    let tools = try #require(answers.result(1)?["tools"] as? [[String: Any]])
    #expect(tools.compactMap { $0["name"] as? String } == Array(Self.names.prefix(7)))
    for tool in tools {
      let hints = tool["annotations"] as? [String: Any]
      #expect(hints?["readOnlyHint"] as? Bool == true, "\(tool["name"] ?? "")")
    }
    for id in 2...7 { #expect(answers.isError(id) == false, "\(id)") }
    #expect(answers.code(8) == -32602)
    #expect(try assistant.stage.text(look) == before)
  }

  @Test func `several databases are served under their names`() throws {
    let assistant = try assistant("home=diary.db work.db")
    try assistant.stage.text("sqlite3 work.db 'CREATE TABLE job(id)'; openwo init -q work.db")
    let answers = try assistant.say(
      Assistant.call(1, "schema", #"{"store":"home"}"#),
      Assistant.call(2, "schema", #"{"store":"work"}"#), Assistant.call(3, "schema"))
    func table(_ id: Int) -> String? {
      (answers.content(id)["objects"] as? [[String: Any]])?.first?["name"] as? String
    }
    #expect(table(1) == "entry" && table(2) == "job")
    let error = answers.content(3)["message"] as? String
    #expect(answers.isError(3) == true && error?.contains("needs store") == true)
    #expect(try assistant.stage.run("openwo mcp diary.db other/diary.db").status == 64)
    #expect(try assistant.stage.run("cd /; openwo mcp").status == 10)
  }

  @Test func `a cancelled call gets no answer, and a long call reports progress`() throws {
    let endless =
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c"
    let answers = try assistant().say(
      Assistant.call(
        1, "query", #"{"sql":"\#(endless)","timeout_seconds":1}"#, meta: #"{"progressToken":"p"}"#),
      Assistant.call(2, "query", #"{"sql":"\#(endless)"}"#),
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
      Assistant.call(3, "status"))
    #expect(answers.content(1)["error"] as? String == "timeLimit")
    #expect(answers.message(2) == nil && answers.isError(3) == false)
    let told = answers.messages.filter { $0["method"] as? String == "notifications/progress" }
      .compactMap { $0["params"] as? [String: Any] }
    #expect(!told.isEmpty && told.allSatisfy { $0["progressToken"] as? String == "p" })
    #expect(told.compactMap { $0["progress"] as? Int } == Array(1...told.count))
  }
}

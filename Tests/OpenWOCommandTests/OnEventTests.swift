import Foundation
import Testing

/// `watch --on-event`: a command for each event.
struct OnEventTests {
  @Test func `a command runs for each event and finds it in its variables`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; mkfifo ../events")
    let result = try stage.run(
      """
      exec 3<>../events
      openwo watch -q --on-event 'echo "$OPENWO_EVENT $OPENWO_DB $OPENWO_EVENT_JSON" > ../events; false' &
      sqlite3 diary.db 'DELETE FROM session'
      read -t 60 -u 3 event database json; read -t 60 -u 3 rest
      kill $!; wait $!; echo "$event"; echo "$database"; echo "$json"
      """)
    let lines = result.text.split(separator: "\n").map(String.init)
    try #require(lines.count == 3, "\(result.text) \(result.remarkText)")
    #expect(lines[0] == "captured")
    #expect(lines[1].hasSuffix("/Training/diary.db"))
    let event = try JSONSerialization.jsonObject(with: Data(lines[2].utf8)) as? [String: Any]
    #expect(event?["event"] as? String == "captured")
    #expect(event?["command"] as? String == "watch")
    #expect(result.remarkText.contains("the command of --on-event failed: it ended with 1"))
  }
}

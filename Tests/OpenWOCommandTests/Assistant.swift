import Foundation
import Testing

/// A conversation of an assistant's program with `openwo mcp`: all messages are sent at once, and the answers are looked up by their ids.
struct Assistant {
  let stage: Stage
  var options = "diary.db"

  /// The answers.
  struct Answers {
    let messages: [[String: Any]]
    let status: Int32
    let remarks: String

    /// The result of a call; nil if there was none.
    func result(_ id: Int) -> [String: Any]? { message(id)?["result"] as? [String: Any] }

    /// The content of a tool's answer.
    func content(_ id: Int) -> [String: Any] {
      result(id)?["structuredContent"] as? [String: Any] ?? [:]
    }

    func isError(_ id: Int) -> Bool? { result(id)?["isError"] as? Bool }

    /// The code of a refused call.
    func code(_ id: Int) -> Int? { (message(id)?["error"] as? [String: Any])?["code"] as? Int }

    /// The codes of refusals that belong to no call.
    var codes: [Int] {
      messages.filter { $0["id"] is NSNull }
        .compactMap { ($0["error"] as? [String: Any])?["code"] as? Int }
    }

    func message(_ id: Int) -> [String: Any]? { messages.first { $0["id"] as? Int == id } }
  }

  /// A call of a tool as one line.
  static func call(_ id: Int, _ tool: String, _ arguments: String = "{}", meta: String = "{}")
    -> String
  {
    """
    {"jsonrpc":"2.0","id":\(id),"method":"tools/call","params":{"name":"\(tool)",\
    "arguments":\(arguments),"_meta":\(meta)}}
    """
  }

  /// The metadata of each request of the newer era.
  static let stamp =
    #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  /// Sends lines and reads what comes until the end; every line has to be a message.
  func say(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> Answers
  {
    let input = lines.joined(separator: "\n") + "\n"
    let result = try stage.run("openwo mcp \(options)", input: input)
    let messages = try result.text.split(separator: "\n").map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)",
        sourceLocation: sourceLocation)
    }
    return Answers(messages: messages, status: result.status, remarks: result.remarkText)
  }

  /// Sends lines that were made before.
  func say(_ lines: [String]) throws -> Answers { try say(lines.joined(separator: "\n")) }

  /// Calls one tool.
  func call(_ tool: String, _ arguments: String = "{}") throws -> Answers {
    try say(Self.call(1, tool, arguments))
  }
}

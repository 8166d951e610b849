import OpenWO
import OpenWOHistory
import OpenWOShell

/// The start of a page of a long answer, and the state that it shows.
///
/// A cursor contains both, so that all pages show the same state.
struct Page {
  let offset: Int
  let limit: Int
  private let state: String

  /// Reads the cursor of a call about a state, which is told by any text that changes with it.
  init(_ call: ToolCall, of state: String) throws {
    limit = try call.limit()
    self.state = String(state.prefix(16))
    guard let cursor = try call.arguments.text("cursor") else {
      offset = 0
      return
    }
    let parts = cursor.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let offset = Int(parts[0]), (0...1_000_000_000).contains(offset) else {
      throw call.arguments.wrong("cursor", "one that an answer gave as nextCursor")
    }
    guard parts[1] == self.state else {
      throw StoreError(
        .headMoved, "the database has changed since the first page; nothing was changed",
        hint: "ask again without a cursor")
    }
    self.offset = offset
  }

  /// The cursor after `count` more; null if nothing follows.
  func next(after count: Int, isLast: Bool) -> JSONMember {
    JSONMember("nextCursor", isLast ? .null : .string("\(offset + count):\(state)"))
  }

  /// A part of all that there is, and the cursor after it.
  func cut<Element>(_ all: [Element]) -> (part: [Element], next: JSONMember) {
    let part = Array(all.dropFirst(offset).prefix(limit))
    return (part, next(after: part.count, isLast: offset + part.count >= all.count))
  }

  static let parameters = [
    ToolParameter(
      "limit", .countKind,
      "How many at most; \(ToolCall.usualRows) unless said, up to "
        + "\(ToolCall.mostRows)."),
    ToolParameter("cursor", .textKind, "Where to go on: nextCursor of the answer before."),
  ]
  static let output = ToolParameter(
    "nextCursor", .textOrNothingKind, "Give it as cursor for what follows; null at the end."
  ).required
}

extension SyncedDatabase {
  /// A text that changes whenever the current database does.
  func fingerprint(of state: NamedState) throws -> String {
    switch state.state {
    case .version(let id): return id.description
    case .file, .live:
      let status = try status()
      return status.content?.description ?? status.head?.description ?? "none"
    }
  }
}

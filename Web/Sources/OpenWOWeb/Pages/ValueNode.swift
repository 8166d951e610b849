import OpenWOApp

/// Values of cells as people can read them, however long or strange they are.
struct ValueNode: Sendable {
  let voice: Voice
  /// More characters than these are cut.
  private static let longest = 1500

  func node(_ value: DataValue?) -> Node {
    switch value {
    case nil: tag("span", ["class": "dim"], "—")
    case .null: tag("span", ["class": "dim null"], "NULL")
    case .integer(let integer): tag("span", ["class": "number"], .text("\(integer)"))
    case .real(let real): tag("span", ["class": "number"], .text("\(real)"))
    case .text(let text): textNode(text)
    case .invalidText(let bytes): blob(bytes, voice("text that is not UTF-8", "UTF-8でない文字列"))
    case .blob(let bytes): blob(bytes, Self.kind(bytes) ?? voice("data", "データ"))
    }
  }

  private func textNode(_ text: String) -> Node {
    if text.isEmpty {
      return tag("span", ["class": "dim"], voice.say("empty text", "空の文字列"))
    }
    return tag("span", ["class": "text"], .foreign(cut(text)), rest(text))
  }

  /// Two texts next to each other, with the parts that differ marked in both.
  func pair(
    _ old: DataValue?, _ new: DataValue?, marks: (Node.Name, Node.Name) = ("del", "ins")
  ) -> (Node, Node) {
    guard case .text(let a)? = old, case .text(let b)? = new, a.utf8.count + b.utf8.count > 12,
      a.utf8.count + b.utf8.count < 200_000
    else { return (node(old), node(new)) }
    let (one, other) = (Array(a), Array(b))
    var start = 0
    while start < min(one.count, other.count), one[start] == other[start] { start += 1 }
    var end = 0
    while end < min(one.count, other.count) - start,
      one[one.count - 1 - end] == other[other.count - 1 - end]
    { end += 1 }
    guard start + end > 0 else { return (node(old), node(new)) }
    return (part(one, start, end, marks.0), part(other, start, end, marks.1))
  }

  private func part(_ text: [Character], _ start: Int, _ end: Int, _ name: Node.Name) -> Node {
    let middle = String(text[start..<(text.count - end)])
    // Far from what differs only some of it is shown.
    let before = start > 200 ? "…" + String(text[(start - 200)..<start]) : String(text[..<start])
    let tail = text[(text.count - end)...]
    let after = tail.count > 200 ? String(tail.prefix(200)) + "…" : String(tail)
    let changed = middle.isEmpty ? Node.none : tag(name, [:], .text(cut(middle)))
    return tag("span", ["class": "text"], tag("bdi", [:], .text(before), changed, .text(after)))
  }

  private func cut(_ text: String) -> String {
    text.utf8.count > Self.longest ? String(text.prefix(Self.longest)) + "…" : text
  }

  private func rest(_ text: String) -> Node {
    guard text.utf8.count > Self.longest else { return .none }
    return tag(
      "span", ["class": "dim"], voice.say(" \(text.count) characters in all", " 全\(text.count)文字"))
  }

  private func blob(_ bytes: [UInt8], _ kind: String) -> Node {
    let digits = bytes.prefix(16).map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.count == 1 ? "0" + text : text
    }.joined(separator: " ")
    return tag(
      "span", ["class": "blob"], .text("\(kind), \(voice.size(Int64(bytes.count)))"),
      tag("code", [:], .text(digits + (bytes.count > 16 ? " …" : ""))))
  }

  private static func kind(_ bytes: [UInt8]) -> String? {
    let signs: [(String, [UInt8])] = [
      ("PNG", [0x89, 0x50, 0x4E, 0x47]), ("JPEG", [0xFF, 0xD8, 0xFF]), ("GIF", Array("GIF8".utf8)),
      ("PDF", Array("%PDF".utf8)), ("ZIP", [0x50, 0x4B, 3, 4]), ("gzip", [0x1F, 0x8B]),
      ("bplist", Array("bplist".utf8)),
    ]
    return signs.first { bytes.starts(with: $0.1) }?.0
  }
}

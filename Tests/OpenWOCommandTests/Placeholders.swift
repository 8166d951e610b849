import Foundation

/// Gives what differs from run to run a name of the same length, so that tables stay in line.
struct Placeholders {
  /// Ids in the order in which they were seen, with the kind of each.
  private var known: [(id: String, name: String)] = []
  private var counts: [String: Int] = [:]
  private var devices: Set<String> = []

  /// Device ids look like short version ids; the state folders have them.
  mutating func learnDevices(in root: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    for name in names where name.hasPrefix("state") {
      let file = root.appending(path: name).appending(path: "device.json")
      guard let data = try? Data(contentsOf: file),
        let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
        let id = object["id"] as? String
      else { continue }
      devices.insert(id)
    }
  }

  /// Replaces ids, times, process numbers, the user and the stage's own path.
  mutating func replace(in text: String, root: String) -> String {
    var text = text.replacingOccurrences(of: root, with: "/stage")
    for (pattern, name) in Self.patterns {
      text = text.replacingOccurrences(of: pattern, with: name, options: .regularExpression)
    }
    text = replace(#"\b[0-9a-f]{64}\b"#, in: text) { id, names in
      "<\(names.name(of: String(id.prefix(12))).dropFirst().dropLast())…>"
    }
    text = replace(#"\b[0-9a-f]{12}\b"#, in: text) { $1.name(of: $0) }
    // The days in the names of conflict copies are not ids.
    let day = #"20\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])\b"#
    return replace(#"\b(?!\#(day))[0-9a-f]{8}\b"#, in: text) { $1.name(of: $0) }
  }

  /// Puts the ids back in what is typed.
  func fill(_ line: String) -> String {
    known.reduce(line) { $0.replacingOccurrences(of: $1.name, with: $1.id) }
  }

  private static let patterns: [(String, String)] = [
    (#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"#, "YYYY-MM-DDThh:mm:ss.mmmZ"),
    (#"\d{4}-\d\d-\d\d \d\d:\d\d"#, "YYYY-MM-DD hh:mm"),
    (#"\b\d{8}T\d{6}\.\d{7}Z"#, "YYYYMMDDThhmmss.mmm0000Z"),
    (#"\b[0-9a-f]{32}\b"#, "<store>"),
    (#"\b\d\d:\d\d\b"#, "hh:mm"),
    (#"\b\d+ (s|min) ago"#, "just now"),
    (#"\(pid \d+\)"#, "(pid N)"), (#", pid \d+\)"#, ", pid N)"),
    (#"\b\#(NSUserName())(?= on | \()"#, "mari"),
  ]

  private mutating func replace(
    _ pattern: String, in text: String, with name: (String, inout Placeholders) -> String
  ) -> String {
    var result = text
    while let range = result.range(of: pattern, options: .regularExpression) {
      result.replaceSubrange(range, with: name(String(result[range]), &self))
    }
    return result
  }

  private mutating func name(of id: String) -> String {
    if let found = known.first(where: { $0.id == id }) { return found.name }
    let kind = devices.contains(id) ? "device" : id.count == 8 ? "lock" : "version"
    counts[kind, default: 0] += 1
    let number = String(counts[kind, default: 0])
    let dashes = String(repeating: "-", count: max(1, id.count - 2 - kind.count - number.count))
    let name = "<\(kind)\(dashes)\(number)>"
    known.append((id, name))
    return name
  }
}

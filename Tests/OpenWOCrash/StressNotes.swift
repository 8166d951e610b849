/// The results that the programs of a stress got.
struct StressNotes: Sendable {
  /// A row that an app did not find although it was told that it is taken.
  struct Unread: Sendable {
    var row: String
    /// When its write was begun, and when it was not found.
    var since: Int64
    var at: Int64
  }

  var taken: Set<String> = []
  var refused: [String: String] = [:]
  var unsure: Set<String> = []
  var unread: [Unread] = []
  /// The rows of the plain program and of the services, and whether they were told that they are taken.
  var others: [String: Bool] = [:]
  /// Those of them that are in files which a service has taken out of the folder.
  var takenAway: Set<String> = []
  /// How often each service put something else in the place of the database, and when.
  var renames = 0
  var overwrites = 0
  var replaced: [ClosedRange<Int64>] = []
  var wrong: [String] = []

  /// Takes down a line of an app's.
  mutating func take(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    guard words.count >= 3, let since = Int64(words[2]) else {
      wrong.append("an app says: \(line.prefix(300))")
      return
    }
    switch words[0] {
    case "ack": taken.insert(words[1])
    case "not": refused[words[1]] = words.last
    case "unsure": unsure.insert(words[1])
    case "unread":
      let at = words.last.flatMap(Int64.init) ?? since
      unread.append(Unread(row: words[1], since: since, at: at))
    default: wrong.append("an app says: \(line.prefix(300))")
    }
  }
}

/// The rows of other programs, whose names can be found among the bytes of any file.
extension StressNotes {
  private static let digits = 6

  static func name(_ who: String, _ number: Int) -> String {
    "\(who)-\(String(1_000_000 + number).suffix(digits))"
  }

  static func names(in bytes: [UInt8]) -> Set<String> {
    var found: Set<String> = []
    for index in bytes.indices where bytes[index] == UInt8(ascii: "-") {
      let number = bytes[(index + 1)...].prefix(digits)
      guard number.count == digits, number.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
        continue
      }
      for who in ["plain", "swap"]
      where bytes[..<index].suffix(who.utf8.count).elementsEqual(who.utf8) {
        found.insert("\(who)-\(String(decoding: number, as: UTF8.self))")
      }
    }
    return found
  }
}

import OpenWOHistory
import OpenWOTestSupport

/// Every content that a database file has had in a run; a file holds the number of its content.
struct ContentPool {
  /// One state of a database file.
  struct Content {
    var rows: Rows
    /// False for torn files: a mix of two contents, or a piece of one.
    var isWhole: Bool
    /// In WAL mode: its log may hold rows.
    var isLogged: Bool
    var hash: ContentHash
    /// Its change counter.
    var commits: Int
    /// The contents that it was made from, as only the world knows.
    var origins: [Int]
  }

  private(set) var contents: [Content] = []
  private var numbers: [ContentHash: Int] = [:]
  private var folded: [Int: Int] = [:]

  subscript(number: Int) -> Content { contents[number] }

  /// Makes a content that no file had before.
  mutating func add(
    _ rows: Rows, isWhole: Bool = true, isLogged: Bool = false, from origins: [Int] = []
  ) -> Int {
    let number = contents.count
    let hash = Self.hash(number)
    let commits = origins.first.map { contents[$0].commits + 1 } ?? 0
    contents.append(
      Content(
        rows: rows, isWhole: isWhole, isLogged: isLogged, hash: hash, commits: commits,
        origins: origins))
    numbers[hash] = number
    return number
  }

  /// The content as a single file, out of WAL mode, with the rows of its log.
  mutating func fold(_ number: Int, _ beside: Rows?) -> Int {
    let rows = contents[number].rows
    let all = rows.union(beside ?? rows)
    // The change follows from the file alone, so it is the same everywhere.
    if all == rows, let known = folded[number] { return known }
    let content = add(all, from: [number])
    if all == rows { folded[number] = content }
    return content
  }

  /// Whether a content was made from another one, directly or not.
  func wasMade(_ content: Int, from other: Int) -> Bool {
    // Numbers rise, so no origin of a lower number can be the one that is looked for.
    content > other
      && contents[content].origins.contains { $0 == other || wasMade($0, from: other) }
  }

  /// Whether a content counts more commits than another one, as what was made from that does.
  func isPast(_ content: Int, _ other: Int) -> Bool {
    contents[content].commits > contents[other].commits
  }

  /// Whether a content has rows that what it was made from has not; a change of the mode alone adds none.
  func hasOwnRows(_ content: Int) -> Bool {
    contents[content].origins.allSatisfy { contents[$0].rows != contents[content].rows }
  }

  /// The number of a content by its hash.
  func number(_ hash: ContentHash) -> Int? { numbers[hash] }

  /// A hash that only the number decides, in no order.
  private static func hash(_ number: Int) -> ContentHash {
    let words = (0..<4).map { SeededRandom.mix(UInt64(number * 4 + $0) &+ 0x5EED) }
    let digest = words.withUnsafeBytes { Digest(bytes: $0) }
    guard let digest else { preconditionFailure("four words are 32 bytes") }
    return ContentHash(digest)
  }
}

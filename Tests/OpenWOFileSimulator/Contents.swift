import OpenWOHistory
import OpenWOSQLite

/// The rows of databases, read once for each content.
final class Contents {
  /// One content.
  struct Facts {
    var rows = Rows()
    /// Whether it is a sound database.
    var isWhole = false
    /// The rows of which only one half is in it.
    var halves = Rows()
    /// Whether each transaction is in it with all its rows or none.
    var isConsistent: Bool { isWhole && halves.isEmpty }
  }

  private var known: [ContentHash: Facts] = [:]

  /// The word of a row.
  static func word(_ row: Int) -> String { "row-\(row)" }

  /// The content that a file counts as: in WAL mode, what it will be once it has been folded.
  static func content(of bytes: [UInt8]) -> ContentHash {
    ContentHash(of: folded(bytes))
  }

  /// A file as it will be once it has been folded.
  static func folded(_ bytes: [UInt8]) -> [UInt8] {
    let header = Array(bytes.prefix(DatabaseHeader.size))
    // Bytes after the last page are not part of it.
    let size = DatabaseHeader.parse(header)?.contentSize(inFileOf: Int64(bytes.count))
    let bytes = Array(bytes.prefix(Int(clamping: size ?? Int64(bytes.count))))
    return DatabaseHeader.folded(header).map { $0 + bytes.dropFirst(header.count) } ?? bytes
  }

  func facts(_ content: ContentHash) -> Facts? { known[content] }

  func facts(of bytes: [UInt8]) -> (ContentHash, Facts) {
    let content = ContentHash(of: bytes)
    if let facts = known[content] { return (content, facts) }
    let facts = (try? Self.look(bytes)) ?? Facts()
    known[content] = facts
    return (content, facts)
  }

  private static func look(_ bytes: [UInt8]) throws -> Facts {
    let connection = try Connection(contentOf: Int64(bytes.count)) { offset, buffer in
      let piece = bytes[min(Int(offset), bytes.count)...].prefix(buffer.count)
      buffer.copyBytes(from: piece)
      return piece.count
    }
    defer { connection.close() }
    guard try connection.integrityCheck(limit: 1).isEmpty else { return Facts() }
    let (first, second) = (try rows(connection, "t"), try rows(connection, "u"))
    let all = first.union(second)
    return Facts(
      rows: all, isWhole: true, halves: all.subtracting(first.intersection(second)))
  }

  /// The rows of a table.
  static func rows(_ connection: Connection, _ table: String) throws -> Rows {
    var rows = Rows()
    for word in try connection.rows(
      "SELECT v FROM \(table)", transform: { try $0.get(0) as String })
    {
      if let row = Int(word.dropFirst(4)) { rows.insert(row) }
    }
    return rows
  }
}

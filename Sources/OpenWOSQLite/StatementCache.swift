/// The statements that a connection keeps prepared, the least recently used given up first.
struct StatementCache {
  private var entries: [Entry] = []
  private var clock: UInt64 = 0
  private let capacity: Int

  private struct Entry {
    let key: UInt64
    let sql: String
    let statement: Statement
    var lastUse: UInt64
  }

  init(capacity: Int) {
    self.capacity = capacity
    entries.reserveCapacity(capacity)
  }

  /// A statement with this text that nobody is using.
  mutating func find(_ sql: String) -> Statement? {
    let key = Self.key(sql)
    clock += 1
    for index in entries.indices where entries[index].key == key {
      guard !entries[index].statement.inUse, Self.same(entries[index].sql, sql) else { continue }
      entries[index].lastUse = clock
      return entries[index].statement
    }
    return nil
  }

  /// Keeps a statement, in the place of the one that was not used for the longest time.
  mutating func insert(_ statement: Statement, sql: String) {
    clock += 1
    let entry = Entry(key: Self.key(sql), sql: sql, statement: statement, lastUse: clock)
    if entries.count < capacity {
      entries.append(entry)
    } else if let oldest = entries.indices.min(by: { entries[$0].lastUse < entries[$1].lastUse }) {
      entries[oldest] = entry
    }
  }

  mutating func removeAll() {
    entries.removeAll()
  }

  /// The length and a few bytes: cheap however long the text is; `same` has the last word.
  private static func key(_ sql: String) -> UInt64 {
    var copy = sql
    return copy.withUTF8 { text in
      var key = UInt64(text.count)
      guard !text.isEmpty else { return key }
      let step = max(1, text.count / 16)
      var index = text.count - 1
      while index >= 0 {
        key = (key ^ UInt64(text[index])) &* 0x100_0000_01b3
        index -= step
      }
      return key
    }
  }

  /// Equality of bytes; that of strings also takes different spellings of a letter for equal.
  private static func same(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8)
  }
}

/// The statements that a connection keeps prepared, the least recently used given up first.
struct StatementCache {
  // Side by side, so that looking for a key reads little memory.
  private var keys: [UInt64] = []
  private var entries: [Entry] = []
  private var clock: UInt64 = 0
  private let capacity: Int

  private struct Entry {
    let sql: String
    let statement: Statement
    var lastUse: UInt64
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// A statement with this text that nobody is using.
  mutating func find(_ sql: String) -> Statement? {
    let key = Self.key(sql)
    for index in keys.indices where keys[index] == key {
      let statement = entries[index].statement
      guard !statement.inUse, Self.same(entries[index].sql, sql) else { continue }
      clock += 1
      entries[index].lastUse = clock
      return statement
    }
    return nil
  }

  /// Keeps a statement, in the place of the one that was not used for the longest time.
  mutating func insert(_ statement: Statement, sql: String) {
    clock += 1
    let entry = Entry(sql: sql, statement: statement, lastUse: clock)
    if entries.count < capacity {
      keys.append(Self.key(sql))
      entries.append(entry)
    } else if let oldest = entries.indices.min(by: { entries[$0].lastUse < entries[$1].lastUse }) {
      keys[oldest] = Self.key(sql)
      entries[oldest] = entry
    }
  }

  mutating func removeAll() {
    keys.removeAll()
    entries.removeAll()
  }

  /// The length and the first and last bytes: cheap however long the text is; `same` has the last word.
  private static func key(_ sql: String) -> UInt64 {
    var copy = sql
    return copy.withUTF8 { text in
      let bytes = UnsafeRawBufferPointer(text)
      guard bytes.count >= 8 else { return bytes.reduce(0) { $0 << 8 | UInt64($1) } }
      let first = bytes.loadUnaligned(as: UInt64.self)
      let middle = bytes.loadUnaligned(fromByteOffset: (bytes.count - 8) / 2, as: UInt64.self)
      let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
      return (first &* 31 ^ middle) &* 31 ^ last ^ UInt64(bytes.count) << 32
    }
  }

  /// Equality of bytes; that of strings also takes different spellings of a letter for equal.
  private static func same(_ a: String, _ b: String) -> Bool {
    var (a, b) = (a, b)
    return a.withUTF8 { a in
      b.withUTF8 { b in a.count == b.count && (a.baseAddress == b.baseAddress || a.elementsEqual(b)) }
    }
  }
}

import OpenWOCSQLite

/// The statements that a connection keeps prepared, the least recently used given up first.
struct StatementCache {
  // An array of its own, so that looking for a key reads little memory.
  private var keys: [UInt64] = []
  private var entries: [Entry] = []
  private var clock: UInt64 = 0
  private let capacity: Int

  private struct Entry {
    let text: [UInt8]
    let statement: Statement
    var lastUse: UInt64
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// A statement with this text that nobody is using.
  mutating func find(_ sql: String) -> Statement? {
    if let found = sql.utf8.withContiguousStorageIfAvailable({ find($0) }) { return found }
    var copy = sql
    return copy.withUTF8 { find($0) }
  }

  private mutating func find(_ text: UnsafeBufferPointer<UInt8>) -> Statement? {
    let key = Self.key(text)
    for index in keys.indices where keys[index] == key {
      let isSame = entries[index].text.withUnsafeBufferPointer {
        $0.count == text.count && openwo_same_bytes($0.baseAddress, text.baseAddress, text.count)
      }
      guard isSame, !entries[index].statement.inUse else { continue }
      clock += 1
      entries[index].lastUse = clock
      return entries[index].statement
    }
    return nil
  }

  /// Keeps a statement, in the place of the one that was not used for the longest time.
  mutating func insert(_ statement: Statement, sql: String) {
    clock += 1
    let entry = Entry(text: Array(sql.utf8), statement: statement, lastUse: clock)
    let key = entry.text.withUnsafeBufferPointer { Self.key($0) }
    if entries.count < capacity {
      keys.append(key)
      entries.append(entry)
    } else if let oldest = entries.indices.min(by: { entries[$0].lastUse < entries[$1].lastUse }) {
      keys[oldest] = key
      entries[oldest] = entry
    }
  }

  mutating func removeAll() {
    keys.removeAll()
    entries.removeAll()
  }

  /// The length and a few bytes: cheap however long the text is; the comparison has the last word.
  private static func key(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let bytes = UnsafeRawBufferPointer(text)
    guard bytes.count >= 8 else { return bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    let first = bytes.loadUnaligned(as: UInt64.self)
    let middle = bytes.loadUnaligned(fromByteOffset: (bytes.count - 8) / 2, as: UInt64.self)
    let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
    return (first &* 31 ^ middle) &* 31 ^ last ^ UInt64(bytes.count) << 32
  }
}

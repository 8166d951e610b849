/// Looks among very many changes of a table for a row that has the content of another one.
struct ContentSearch {
  private let rows: [RowChange]
  private let spilled: SpilledRows

  /// The changes in memory, and those that were put aside.
  init(_ rows: [RowChange], _ spilled: SpilledRows) {
    self.rows = rows
    self.spilled = spilled
  }

  /// Whether there is a change like this, by the row before and after.
  func contains(
    where isWanted: ([CellValue]?, [CellValue]?) throws -> Bool
  ) throws -> Bool {
    if try rows.contains(where: { try isWanted($0.old, $0.new) }) { return true }
    var reader = try spilled.reader()
    while let row = try reader.read() {
      let change = row.change
      let (old, new) = (change.base?.cells, change.original?.cells)
      if try isWanted(old?.map { $0 ?? .null }, new?.map { $0 ?? .null }) { return true }
    }
    return false
  }

  /// Whether a row has the content that a row had before: it may have got another number.
  func hasOldContent() throws -> Bool {
    var old: [Int] = []
    _ = try contains { before, _ in
      if let before { old.append(CanonicalKey(exactly: before).hashValue) }
      return false
    }
    old.sort()
    return try contains { _, after in
      guard let after else { return false }
      let key = CanonicalKey(exactly: after)
      guard Self.has(key.hashValue, old) else { return false }
      return try contains { before, _ in before.map { CanonicalKey(exactly: $0) == key } ?? false }
    }
  }

  private static func has(_ hash: Int, _ sorted: [Int]) -> Bool {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < hash { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == hash
  }
}

/// Rows of the base that a side deleted and that stay all the same, while a new row was to have their number.
struct NumberClashes {
  /// Their numbers in the base, by folded table name.
  private(set) var rows: [String: Set<Int64>] = [:]

  init(_ tables: [String: TableMerge], _ merged: [String: [MergedRow]]) throws {
    for (name, table) in tables where table.isNumbered && table.rule != .singleton {
      var seen: Set<Int64> = []
      let twice = Set(
        (merged[name] ?? []).compactMap { $0.row?.rowid }.filter { !seen.insert($0).inserted })
      if twice.isEmpty { continue }
      let old = (merged[name] ?? []).filter { $0.row?.rowid.map(twice.contains) ?? false }
        .compactMap { $0.base?.rowid }
      guard !old.isEmpty else {
        throw MergeRefusal(
          table.shape.name, rows: twice.sorted().prefix(10).map { [.integer($0)] },
          "two rows need the same number")
      }
      rows[name] = Set(old)
    }
  }
}

/// Tells which of two writers was later.
struct MergeClock {
  let times: Sides<Int64>
  let first: MergeSide

  /// The columns that say when a row was last written, in folded form without underscores.
  private static let names: Set<String> = [
    "modifiedat", "updatedat", "lastmodified", "lastmodifiedat", "lastupdated", "lastupdatedat",
  ]

  /// The place of such a column in a table.
  static func column(of shape: TableShape) -> Int? {
    shape.columns.firstIndex {
      names.contains(SQLName.folded($0.name).filter { $0 != "_" })
    }
  }

  /// Who wrote the row later, and how we know.
  func later(
    _ rows: Sides<MergeRow?>, of shape: TableShape
  ) -> (side: MergeSide, reason: MergeDecision.Reason) {
    later(rows, of: shape, by: Self.column(of: shape))
  }

  /// The same if the place of the column that says so is known already.
  func later(
    _ rows: Sides<MergeRow?>, of shape: TableShape, by column: Int?
  ) -> (side: MergeSide, reason: MergeDecision.Reason) {
    if let column, let a = rows.ours?.cells[column] ?? nil,
      let b = rows.theirs?.cells[column] ?? nil, Self.isComparable(a, b), a.rank(against: b) != 0
    {
      let winner: MergeSide = a.rank(against: b) > 0 ? .ours : .theirs
      return (winner, .column(shape.columns[column].name))
    }
    return (later, .versionTime)
  }

  /// Who wrote the database later.
  var later: MergeSide {
    times.ours == times.theirs ? first : (times.ours > times.theirs ? .ours : .theirs)
  }

  private static func isComparable(_ a: CellValue, _ b: CellValue) -> Bool {
    switch (a, b) {
    case (.integer, .integer), (.real, .real), (.integer, .real), (.real, .integer), (.text, .text):
      true
    default: false
    }
  }
}

/// One side's change of one row.
struct SideChange {
  /// The row in the base; nil if the side inserted it.
  var base: MergeRow?

  /// The row as the side has it; nil if the side deleted it.
  let original: MergeRow?

  /// The row after keys were renumbered and foreign keys have followed.
  var row: MergeRow?

  /// The key that the row was given in place of its own.
  var givenKey: GivenKey?

  /// The row in the base, with the numbers that it and the rows it points to will have.
  var before: MergeRow?

  /// Whether the side did nothing to the row but give it and those it points to other numbers.
  var isMove: Bool {
    guard let before, let row else { return false }
    return row.agrees(with: before)
  }

  /// Whether the side deleted the row of the base and made it once more, under another key.
  var isReplacement = false

  /// Whether the row only got a value in a column that each row got one in.
  var isFill = false

  /// Whether the row only followed one that it points to and that got another key, and the other side deleted it.
  var isCascaded = false

  init(base: MergeRow?, row: MergeRow?) {
    self.base = base
    original = row
    self.row = row
  }

  var isInsert: Bool { base == nil && original != nil }
  var isDelete: Bool { original == nil }
}

/// A key that replaces a row's own.
enum GivenKey: Hashable {
  case rowid(Int64)
  case values([Int: CellValue])
}

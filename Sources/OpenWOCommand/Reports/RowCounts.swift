/// How many rows of a table differ, in words.
struct RowCounts {
  let inserted: Int
  let updated: Int
  let deleted: Int

  /// For example `1 added, 2 changed`; empty for none.
  var text: String {
    [(inserted, "added"), (updated, "changed"), (deleted, "removed")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

/// Columns that a side added and in which it gave each row a value, as a migration does.
///
/// Nobody need have written these values. So a row in which nothing else changed does not come back
/// for them if the other side deleted it.
struct FilledColumns {
  private let places: Set<Int>

  /// Finds them among the added columns, by a side's changes and the number of rows in the base.
  init(among added: [AddedColumn], by changes: [SideChange], rowCount: Int) {
    let left = rowCount - changes.count { $0.isDelete }
    places = Set(
      added.map(\.place).filter { place in
        left > 0 && changes.count { Self.changed($0).contains(place) } == left
      })
  }

  /// Whether a change is nothing but such values.
  func isAll(of change: SideChange) -> Bool {
    let changed = Self.changed(change)
    return !changed.isEmpty && changed.allSatisfy(places.contains)
  }

  /// The columns in which a row of the base holds something else.
  private static func changed(_ change: SideChange) -> [Int] {
    guard let base = change.base, let row = change.original else { return [] }
    return row.cells.indices.filter { row.cells[$0] != nil && row.cells[$0] != base.cells[$0] }
  }
}

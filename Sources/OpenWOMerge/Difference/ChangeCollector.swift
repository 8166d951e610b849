/// Counts the changes of one table, keeps them where asked to, and shows each to a visitor.
final class ChangeCollector {
  private(set) var table: TableDifference
  private let detail: DifferenceOptions.Rows
  private let visit: ((TableDifference, RowChange) throws -> Void)?

  init(
    _ table: TableDifference, _ detail: DifferenceOptions.Rows,
    visit: ((TableDifference, RowChange) throws -> Void)?
  ) {
    self.table = table
    self.detail = detail
    self.visit = visit
  }

  /// Notes a change.
  ///
  /// The rows are only fetched when somebody wants them.
  func add(
    key: @autoclosure () -> [CellValue], old: (() throws -> [CellValue])?,
    new: (() throws -> [CellValue])?
  ) throws {
    switch (old == nil, new == nil) {
    case (true, _): table.inserted += 1
    case (_, true): table.deleted += 1
    default: table.updated += 1
    }
    guard visit != nil || keeps else { return }
    let change = RowChange(key: key(), old: try old?(), new: try new?())
    try visit?(table, change)
    if keeps { table.rows.append(change) }
  }

  /// Forgets what was counted; false when a visitor has already seen some of it.
  func startOver() -> Bool {
    if visit != nil, !table.isEqual { return false }
    table.inserted = 0
    table.updated = 0
    table.deleted = 0
    table.rows = []
    table.isCutShort = false
    return true
  }

  /// Says why the table's rows were not compared.
  func fail(_ reason: String) { table.notCompared = reason }

  private var keeps: Bool {
    switch detail {
    case .counted: return false
    case .all: return true
    case .upTo(let limit):
      if table.rows.count < limit { return true }
      table.isCutShort = true
      return false
    }
  }
}

/// Counts the changes of one table, keeps them where asked to, and shows each to a visitor.
final class ChangeCollector {
  private(set) var table: TableDifference
  private let detail: DifferenceOptions.Rows
  private let visit: ((TableDifference, RowChange) throws -> Void)?
  /// Takes very many changed rows.
  private let spill: RowSpill?
  private var spilled: SpilledRows?

  init(
    _ table: TableDifference, _ detail: DifferenceOptions.Rows,
    visit: ((TableDifference, RowChange) throws -> Void)?, spill: RowSpill? = nil
  ) {
    self.table = table
    self.detail = detail
    self.visit = visit
    self.spill = spill.flatMap { $0.takes(table.table) ? $0 : nil }
  }

  /// Where keys of very many rows may be put aside to be sorted.
  var sortFile: SpillFile? { spill?.file }

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
    let keeps = keeps
    if table.isCutShort, table.keyedBy == .primaryKey, key().contains(.null) {
      table.hasNullKey = true
    }
    guard visit != nil || keeps else { return }
    let change = RowChange(key: key(), old: try old?(), new: try new?())
    if table.keyedBy == .primaryKey, change.key.contains(.null) { table.hasNullKey = true }
    try visit?(table, change)
    guard keeps else { return }
    if try putAside(change) { return }
    table.rows.append(change)
  }

  /// Forgets what was counted; false when a visitor has already seen some of it.
  func startOver() -> Bool {
    if visit != nil, !table.isEqual { return false }
    table.inserted = 0
    table.updated = 0
    table.deleted = 0
    table.rows = []
    table.isCutShort = false
    table.hasNullKey = false
    spill?.drop(table.table)
    spilled = nil
    return true
  }

  /// Says why the table's rows were not compared.
  func fail(_ reason: String) { table.notCompared = reason }

  /// Whether a changed row, as one of very many, was put aside.
  private func putAside(_ change: RowChange) throws -> Bool {
    guard let spill, table.inserted + table.updated + table.deleted > spill.limit else {
      return false
    }
    if spilled == nil { spilled = try spill.begin(table.table, &table.rows) }
    return try spilled?.append(change) ?? false
  }

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

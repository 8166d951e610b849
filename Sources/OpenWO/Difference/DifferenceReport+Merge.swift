import OpenWOMerge

/// Differences in the words of a report.
extension DifferenceReport {
  init(_ found: DatabaseDifference) {
    equal = found.equal
    schemaChanges = found.schemaChanges.map {
      SchemaChange(
        type: $0.type, name: $0.name, table: $0.table, kind: $0.kind.rawValue, old: $0.old,
        new: $0.new)
    }
    tables = found.tables.map(Table.init)
  }
}

extension DifferenceReport.Table {
  init(_ found: TableDifference) {
    self.init(
      table: found.table, keyedBy: found.keyedBy.rawValue, inserted: found.inserted,
      updated: found.updated, deleted: found.deleted, oldColumns: found.oldColumns,
      newColumns: found.newColumns, rows: found.rows.map(DifferenceReport.Row.init),
      isCutShort: found.isCutShort, notCompared: found.notCompared)
  }
}

extension DifferenceReport.Row {
  init(_ change: RowChange) {
    self.init(
      kind: change.kind.rawValue, key: change.key.map(DataValue.init),
      old: change.old?.map(DataValue.init), new: change.new?.map(DataValue.init))
  }
}

extension DifferenceReport.Rows {
  var options: DifferenceOptions {
    switch self {
    case .counted: .forReading()
    case .upTo(let count): .forReading(rows: .upTo(max(0, count)))
    case .all: .forReading(rows: .all)
    }
  }
}

extension DataValue {
  init(_ value: CellValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .blob(let bytes): self = .blob(bytes)
    case .text(let bytes):
      self = String(validating: bytes, as: UTF8.self).map(DataValue.text) ?? .invalidText(bytes)
    }
  }
}

/// Finds the columns of a foreign key among those of the tables.
struct ReferenceFinder {
  private let tables: [String: TableMerge]

  init(_ tables: [String: TableMerge]) { self.tables = tables }

  /// The key with places instead of names; nil if it refers to nothing known.
  func find(_ key: ForeignKeyShape) -> TableMerge.Reference? {
    guard let child = tables[key.table], let parent = tables[key.parent] else { return nil }
    let columns = places(key.columns, in: child.shape)
    let parentColumns =
      key.parentColumns.isEmpty
      ? primaryKey(parent.shape) : places(key.parentColumns, in: parent.shape)
    guard columns.count == key.columns.count, columns.count == parentColumns.count,
      !columns.isEmpty
    else { return nil }
    return TableMerge.Reference(
      columns: columns, parent: key.parent, parentColumns: parentColumns,
      cascadesDelete: key.cascadesDelete, cascadesUpdate: key.cascadesUpdate)
  }

  private func places(_ names: [String], in shape: TableShape) -> [Int] {
    names.compactMap { name in
      shape.columns.firstIndex { SQLName.folded($0.name) == name }
    }
  }

  private func primaryKey(_ shape: TableShape) -> [Int] {
    if let column = shape.rowidColumn { return [column] }
    guard case .primaryKey(let key) = shape.identity else { return [] }
    return key.map(\.column)
  }
}

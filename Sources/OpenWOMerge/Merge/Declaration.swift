/// What a person or an app says about tables that their definitions do not say.
package enum Declaration: Hashable, Sendable {
  /// A column holds the values of another table's column: it follows rows that get another key, as a foreign key does.
  case reference(table: String, column: String, parent: String, parentColumn: String)
  /// Rows that both sides made are one row if they are the same in these columns.
  case key(table: String, columns: [String])
  /// The last column is the place of a row among those that are the same in the others: of two rows that meet there both stay, and the
  /// later one gets the next free place.
  case place(table: String, columns: [String])

  /// The folded name of the table that it is about.
  var table: String {
    switch self {
    case .reference(let table, _, _, _), .key(let table, _), .place(let table, _):
      SQLName.folded(table)
    }
  }
}

/// What was declared of one table, by its columns' places; what names columns that are not there counts for nothing.
struct TableDeclarations {
  private(set) var references: [ForeignKeyShape] = []
  private(set) var keys: [UniqueShape] = []
  /// The columns that rows share among which one has a place, and the column with the place; nil for those of a unique index.
  private(set) var place: (group: [Int]?, column: Int)?

  init() {}

  init(_ declared: [Declaration], of table: TableShape) {
    let name = SQLName.folded(table.name)
    func places(_ columns: [String]) -> [Int]? {
      let found = columns.compactMap { column in
        table.columns.firstIndex { SQLName.folded($0.name) == SQLName.folded(column) }
      }
      return found.count == columns.count && !found.isEmpty ? found : nil
    }
    for declaration in declared where declaration.table == name {
      switch declaration {
      case .reference(_, let column, let parent, let parentColumn):
        references.append(
          ForeignKeyShape(
            table: name, parent: SQLName.folded(parent), columns: [SQLName.folded(column)],
            parentColumns: [SQLName.folded(parentColumn)], cascadesDelete: false,
            cascadesUpdate: false))
      case .key(_, let columns):
        guard let places = places(columns) else { continue }
        keys.append(
          UniqueShape(columns: places, collations: places.map { _ in KeyCollation.binary }))
      case .place(_, let columns):
        guard let places = places(columns), let column = places.last else { continue }
        place = (places.count > 1 ? Array(places.dropLast()) : nil, column)
      }
    }
  }
}

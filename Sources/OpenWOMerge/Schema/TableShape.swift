/// The shape of a table: what is needed to read, compare and write its rows.
package struct TableShape: Hashable, Sendable {
  /// How rows of the table are told apart.
  package enum Identity: Hashable, Sendable {
    /// By rowid: an INTEGER PRIMARY KEY, or no declared key at all (`isDeclared` false).
    case rowid(isDeclared: Bool)
    /// By the declared primary key, in the key's order.
    case primaryKey([KeyColumn])
    /// By everything in the row: the rowid is out of reach, as its three names are columns.
    case wholeRow
  }

  /// A column of a key: its place in `columns`, and how its text is compared.
  package struct KeyColumn: Hashable, Sendable {
    package let column: Int
    package let collation: KeyCollation
  }

  /// The table's name in the schema.
  package let name: String
  /// The text of CREATE TABLE.
  package let sql: String
  /// The root of its b-tree.
  package let rootPage: UInt32
  /// Whether rows lie in an index b-tree, by primary key.
  package let isWithoutRowid: Bool
  /// The columns that hold data, in declared order; generated ones are left out.
  package let columns: [ColumnShape]
  /// How rows are told apart.
  package private(set) var identity: Identity
  /// The name under which SQL reaches the rowid: a column, or `rowid`, `oid`, `_rowid_`; nil if none.
  package let rowidName: String?
  /// The place in `columns` of the INTEGER PRIMARY KEY.
  package let rowidColumn: Int?
  /// Whether new rowids never reuse old ones.
  package let isAutoincrement: Bool

  /// The same table, whose rows are told apart by everything in them, as their rowids say nothing.
  var toldByWholeRow: TableShape {
    var shape = self
    shape.identity = .wholeRow
    return shape
  }

  /// Whether values must be of their column's type.
  var isStrict: Bool {
    Array(SQLTokens(sql)).reversed().prefix { $0 != ")" }.contains("STRICT")
  }
}

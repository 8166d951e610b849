import OpenWOFiles
import OpenWOMerge
import OpenWOSQLite

/// What an app or a person says about tables that their definitions do not say, for merges.
///
/// All devices are to have the same ones.
public struct MergeDeclaration: Sendable, Hashable, Codable {
  /// `reference`, `key` or `place`; a word that a newer openwo invented counts as none.
  package var kind: String
  /// The table that it is about.
  public var table: String
  /// Its columns.
  public var columns: [String]
  /// The table that a reference points to.
  public var parent: String?
  /// The column there.
  public var parentColumn: String?

  /// A column that holds the values of another table's column, though no FOREIGN KEY says so: it follows rows that get another number.
  public static func reference(
    table: String, column: String, parent: String, parentColumn: String
  ) -> MergeDeclaration {
    MergeDeclaration(
      kind: "reference", table: table, columns: [column], parent: parent,
      parentColumn: parentColumn)
  }

  /// Columns by which a row is known, though no UNIQUE says so: rows that two devices made are one row if they are the same there.
  ///
  /// Rows that point to a row that was deleted and made once more find it by them.
  public static func key(table: String, columns: [String]) -> MergeDeclaration {
    MergeDeclaration(kind: "key", table: table, columns: columns)
  }

  /// A column with the place of a row among those that are the same in the other columns: of two rows that meet there both stay, and the later
  /// one gets the next free place.
  ///
  /// Without other columns they are those of the UNIQUE that has the column, or all rows of the table are in one order.
  public static func place(
    table: String, column: String, among others: [String] = []
  ) -> MergeDeclaration {
    MergeDeclaration(kind: "place", table: table, columns: others + [column])
  }

  /// Refuses declarations that name a column which none of the databases has: a slip of the pen would do nothing.
  static func check(
    _ declarations: [MergeDeclaration], in databases: [Connection], _ paths: StorePaths
  ) throws {
    var columns: [String: Set<String>] = [:]
    func has(_ table: String, _ column: String) throws -> Bool {
      let name = table.lowercased()
      if columns[name] == nil {
        columns[name] = try Set(
          databases.flatMap { try $0.columnNames(ofTable: table) }.map { $0.lowercased() })
      }
      return columns[name]?.contains(column.lowercased()) ?? false
    }
    for declaration in declarations {
      var named = declaration.columns.map { (declaration.table, $0) }
      if let parent = declaration.parent, let column = declaration.parentColumn {
        named.append((parent, column))
      }
      guard let (table, column) = try named.first(where: { try !has($0.0, $0.1) }) else { continue }
      throw StoreError(
        .usage,
        "there is no column \(String(printable: "\(table).\(column)".utf8)); nothing was written",
        advice: paths.next("see what they are called", .sqlite(paths.typed, .schema)))
    }
  }

  /// The same for the planner; nil if the word is not known here.
  var declaration: Declaration? {
    switch (kind, columns.first, parent, parentColumn) {
    case ("reference", let column?, let parent?, let parentColumn?):
      .reference(table: table, column: column, parent: parent, parentColumn: parentColumn)
    case ("key", _?, _, _): .key(table: table, columns: columns)
    case ("place", _?, _, _): .place(table: table, columns: columns)
    default: nil
    }
  }
}

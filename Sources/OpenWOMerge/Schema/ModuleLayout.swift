/// The tables that a module of SQLite's own makes for one virtual table.
struct ModuleLayout {
  /// The folded names of the columns that such a table begins with, and those that may follow.
  private struct Columns {
    let first: [String]
    var isOther: (String) -> Bool = { _ in false }
  }

  /// By the end of the table's name.
  private let tables: [String: Columns]

  /// Modules that keep nothing in tables of their own.
  private static let withoutTables: Set<String> = [
    "fts3aux", "fts4aux", "fts3tokenize", "fts5vocab", "dbstat", "sqlite_dbpage", "bytecode",
    "tables_used", "json_each", "json_tree", "generate_series", "csv", "carray",
  ]

  /// The layout; nil if the module is unknown, or keeps nothing in tables.
  init?(_ entry: SchemaEntry) {
    let options = Self.options(entry)
    switch entry.module {
    case "fts5": tables = Self.fts5(options)
    case "fts4": tables = Self.fts4(options)
    // It takes no options. Its _stat is made when somebody sets `automerge`.
    case "fts3": tables = Self.fts4([:]).filter { $0.key != "docsize" }
    case "rtree", "rtree_i32", "geopoly": tables = Self.rtree()
    default: return nil
    }
  }

  /// Whether nothing is known of the tables of a virtual table's module.
  static func isUnknown(_ entry: SchemaEntry) -> Bool {
    guard let module = entry.module else { return false }
    return !withoutTables.contains(module) && ModuleLayout(entry) == nil
  }

  /// Whether the module makes a table with this end of its name and these columns.
  func makes(_ suffix: String, of table: TableShape) -> Bool {
    guard let columns = tables[suffix] else { return false }
    let names = table.columns.map { SQLName.folded($0.name) }
    return names.starts(with: columns.first)
      && names.dropFirst(columns.first.count).allSatisfy(columns.isOther)
  }

  private static func fts5(_ options: [String: String]) -> [String: Columns] {
    var tables = [
      "data": Columns(first: ["id", "block"]), "idx": Columns(first: ["segid", "term", "pgno"]),
      "config": Columns(first: ["k", "v"]),
    ]
    let isContentless = options["content"]?.isEmpty ?? false
    if options["content"] == nil || isContentless && isOn(options["contentless_unindexed"]) {
      tables["content"] = Columns(first: ["id"]) { isNumbered($0, "c") || isNumbered($0, "l") }
    }
    if options["columnsize"].map(isOn) ?? true {
      tables["docsize"] = Columns(first: ["id", "sz"]) { $0 == "origin" }
    }
    return tables
  }

  private static func fts4(_ options: [String: String]) -> [String: Columns] {
    var tables = [
      "segments": Columns(first: ["blockid", "block"]),
      "segdir": Columns(
        first: ["level", "idx", "start_block", "leaves_end_block", "end_block", "root"]),
      "stat": Columns(first: ["id", "value"]),
    ]
    if options["content"] == nil {
      tables["content"] = Columns(first: ["docid"]) { isNumbered($0, "c") || $0 == "langid" }
    }
    if options["matchinfo"].map(SQLName.folded) != "fts3" {
      tables["docsize"] = Columns(first: ["docid", "size"])
    }
    return tables
  }

  private static func rtree() -> [String: Columns] {
    [
      "node": Columns(first: ["nodeno", "data"]),
      "rowid": Columns(first: ["rowid", "nodeno"]) { isNumbered($0, "a") },
      "parent": Columns(first: ["nodeno", "parentnode"]),
    ]
  }

  /// Whether a name is the letter and a digit, and whatever comes behind that.
  private static func isNumbered(_ name: String, _ letter: String) -> Bool {
    name.hasPrefix(letter) && (name.utf8.dropFirst().first.map { 0x30...0x39 ~= $0 } ?? false)
  }

  private static func isOn(_ value: String?) -> Bool { value.flatMap { Int($0) } ?? 0 != 0 }

  /// The arguments `name = value`, by folded name and without quotes.
  private static func options(_ entry: SchemaEntry) -> [String: String] {
    Dictionary(
      ModuleArgument.all(of: entry).compactMap { argument in
        argument.value.map { (SQLName.folded(argument.name), $0) }
      }, uniquingKeysWith: { $1 })
  }
}

extension SchemaEntry {
  /// The table whose rows a full-text table indexes; nil if it has its own, or none.
  var contentTable: String? {
    guard ["fts4", "fts5"].contains(module) else { return nil }
    return moduleOption("content").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of an argument `name = value` of a virtual table.
  func moduleOption(_ name: String) -> String? {
    ModuleArgument.all(of: self).last { SQLName.folded($0.name) == name && $0.value != nil }?.value
  }
}

import OpenWOSQLite

/// How the rows of one virtual table can be read.
enum VirtualRows {
  /// In a table, or through the module.
  case readable(VirtualTable)
  /// They are those of another table, of which it is an index.
  case elsewhere
  /// Not at all, and why.
  case unreadable(String)
  /// It keeps nothing in this database.
  case none

  init(_ entry: SchemaEntry, in schema: DatabaseSchema, _ connection: Connection) throws {
    if entry.contentTable != nil {
      self = .elsewhere
    } else if ModuleLayout.isUnknown(entry) {
      self = .unreadable("its module \(entry.module ?? "") is not known here")
    } else if schema.shadows(of: entry).isEmpty {
      self = .none
    } else if entry.module?.hasPrefix("fts") ?? false {
      let table = VirtualTable(stored: entry, in: schema)
      self =
        table.map(VirtualRows.readable) ?? .unreadable("it does not keep its rows as they were")
    } else {
      let table = try VirtualTable(asked: entry, connection)
      self = table.map(VirtualRows.readable) ?? .unreadable("SQLite cannot read it here")
    }
  }

  var table: VirtualTable? {
    if case .readable(let table) = self { table } else { nil }
  }
}

/// A virtual table whose rows can be read and written one by one.
struct VirtualTable {
  /// The virtual table as a script writes to it; its first column is the number of a row, or it has a rowid beside its columns.
  let shape: TableShape
  /// The table that the rows are read from: one of the module's, or the virtual one itself.
  let source: TableShape

  /// Whether the module itself has to be asked for the rows.
  var isAsked: Bool { source.rootPage == 0 }

  /// A full-text table that keeps its rows in another table; nil if it keeps none, or not as they
  /// were written.
  ///
  /// So the rows can be read without its tokenizer.
  init?(stored entry: SchemaEntry, in schema: DatabaseSchema) {
    guard let source = schema.shadowTables[SQLName.folded(entry.name) + "_content"],
      entry.moduleOption("content") == nil, entry.moduleOption("compress") == nil,
      source.rowidColumn == 0
    else { return nil }
    let declared = ModuleArgument.all(of: entry).filter { $0.value == nil }.map(\.name)
    var names = ["rowid"]
    for column in source.columns.dropFirst() {
      let digits = column.name.utf8.dropFirst().prefix { 0x30...0x39 ~= $0 }
      if entry.module != "fts5", SQLName.folded(column.name) == "langid" {
        names.append(entry.moduleOption("languageid") ?? "langid")
        continue
      }
      guard column.name.utf8.first == 0x63, let place = Int(String(decoding: digits, as: UTF8.self))
      else { return nil }
      let rest = String(column.name.dropFirst(1 + digits.count))
      guard entry.module != "fts5" || declared.indices.contains(place) else { return nil }
      names.append(entry.module == "fts5" ? declared[place] : rest)
    }
    self.source = source
    shape = TableShape(virtual: entry, columns: zip(source.columns, names).map { $0.named($1) })
  }

  /// A table of one of SQLite's own modules; nil if this SQLite cannot read it.
  init?(asked entry: SchemaEntry, _ connection: Connection) throws {
    do {
      let name = SQLName.quoted(entry.name)
      let columns = try connection.cells("PRAGMA main.table_xinfo(\(name))")
        .compactMap { row -> ColumnShape? in
          guard row.count > 6, row[6] == .integer(0), let name = row[1].string else { return nil }
          return ColumnShape(
            name: name, declaredType: "", isNotNull: false, defaultSQL: nil, field: 0,
            isReal: false)
        }
      guard !columns.isEmpty else { return nil }
      // In geopoly the number is not a column.
      shape = TableShape(
        virtual: entry, columns: columns, isNumbered: entry.module?.hasPrefix("rtree") ?? false)
      source = shape
      _ = try connection.cells("SELECT * FROM main.\(name) LIMIT 1")
    } catch let error as SQLiteError where [.error, .corrupt].contains(error.code) {
      return nil
    }
  }
}

extension TableShape {
  fileprivate init(virtual entry: SchemaEntry, columns: [ColumnShape], isNumbered: Bool = true) {
    self.init(
      name: entry.name, sql: entry.sql ?? "", rootPage: 0, isWithoutRowid: false,
      columns: columns, identity: .rowid(isDeclared: true),
      rowidName: isNumbered ? columns[0].name : "rowid", rowidColumn: isNumbered ? 0 : nil,
      isAutoincrement: false)
  }
}

extension ColumnShape {
  fileprivate func named(_ name: String) -> ColumnShape {
    ColumnShape(
      name: name, declaredType: declaredType, isNotNull: isNotNull, defaultSQL: defaultSQL,
      field: field, isReal: isReal)
  }
}

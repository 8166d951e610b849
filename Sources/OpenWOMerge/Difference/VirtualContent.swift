import OpenWOSQLite

/// Finds out which virtual tables hold other rows in one of two databases.
///
/// A table that only indexes the rows of another table holds none: that one's rows tell.
struct VirtualContent {
  static let notCompared = "contents differ, and cannot be compared row by row"
  static let otherIndex = "the index differs, not the rows that it is of"

  /// Compares one table, and names it and its columns as another one.
  typealias Comparing = (TableShape?, TableShape?, VirtualTable?) throws -> TableDifference?

  private let before: DatabaseSchema
  private let after: DatabaseSchema
  private let connections: (old: Connection, new: Connection)
  private let compare: Comparing

  init(
    _ before: DatabaseSchema, _ after: DatabaseSchema, _ old: Connection, _ new: Connection,
    compare: @escaping Comparing
  ) {
    (self.before, self.after) = (before, after)
    connections = (old, new)
    self.compare = compare
  }

  /// The virtual tables that differ, beside the ordinary ones that do.
  ///
  /// With `includesIndexes` an index of another table's rows is one of them.
  func changes(
    beside tables: [TableDifference], only wanted: Set<String>?, includesIndexes: Bool
  ) throws -> [TableDifference] {
    let old = Self.entries(before)
    let new = Self.entries(after)
    let changed = Set(tables.map { SQLName.folded($0.table) })
    return try Set(old.keys).union(new.keys).sorted().compactMap { name in
      guard let entry = new[name] ?? old[name], wanted?.contains(name) ?? true else { return nil }
      let a = try old[name].map { try VirtualRows($0, in: before, connections.old) } ?? .none
      let b = try new[name].map { try VirtualRows($0, in: after, connections.new) } ?? .none
      switch (a, b) {
      case (.none, .none): return nil
      case (.elsewhere, .none), (.none, .elsewhere), (.elsewhere, .elsewhere):
        guard try includesIndexes && hasOther(entry, changed) else { return nil }
        return index(entry, changed)
      case (.readable, .none), (.none, .readable), (.readable, .readable):
        return try rows(entry, a.table, b.table, changed)
      default: return try hasOther(entry, changed) ? uncompared(entry) : nil
      }
    }
  }

  private func rows(
    _ entry: SchemaEntry, _ a: VirtualTable?, _ b: VirtualTable?, _ changed: Set<String>
  ) throws -> TableDifference? {
    let isAsked = (a ?? b)?.isAsked ?? false
    guard (a?.isAsked ?? isAsked) == (b?.isAsked ?? isAsked) else { return uncompared(entry) }
    if isAsked, try !hasOther(entry, changed) { return nil }
    let found = try compare(a?.source, b?.source, b ?? a)
    return found.flatMap { $0.isEqual ? nil : $0 }
  }

  /// Whether any of the tables that a module keeps its content in differs.
  private func hasOther(_ entry: SchemaEntry, _ changed: Set<String>) throws -> Bool {
    let name = SQLName.folded(entry.name)
    let opaque = before.opaque.merging(after.opaque) { $1 }.filter { $0.value == name }.keys
    if opaque.contains(where: changed.contains) { return true }
    let shadows = before.shadows(of: entry).union(after.shadows(of: entry))
    return try shadows.contains {
      try !(compare(before.shadowTables[$0], after.shadowTables[$0], nil)?.isEqual ?? true)
    }
  }

  private func uncompared(_ entry: SchemaEntry) -> TableDifference {
    var change = TableDifference(
      table: entry.name, keyedBy: .rowid, oldColumns: [], newColumns: [])
    change.notCompared = Self.notCompared
    return change
  }

  /// An index that differs, and whether that follows from the rows that it is of.
  private func index(_ entry: SchemaEntry, _ changed: Set<String>) -> TableDifference {
    var change = uncompared(entry)
    change.notCompared = Self.otherIndex
    let content = SQLName.folded(entry.contentTable ?? "")
    let isTable = before.tables[content] != nil || after.tables[content] != nil
    change.followsRows = isTable ? changed.contains(content) : !changed.isEmpty
    return change
  }

  private static func entries(_ schema: DatabaseSchema) -> [String: SchemaEntry] {
    Dictionary(
      schema.entries.filter { $0.module != nil }.map { (SQLName.folded($0.name), $0) },
      uniquingKeysWith: { $1 })
  }
}

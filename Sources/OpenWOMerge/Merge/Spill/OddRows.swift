/// Tells whether the changes of a row have to do with other rows.
struct OddRows {
  private let table: TableMerge
  /// Whether all of them may.
  private let isAny: Bool
  /// Whether new and deleted rows may.
  private let isAnyBirth: Bool
  /// Whether deleted ones may.
  private let isAnyDeath: Bool
  /// The numbers or keys of the rows in memory.
  private let numbers: Set<Int64>
  private let keys: Set<CanonicalKey>
  /// The columns by which rows are found.
  private let columns: [Int]
  private let twins: BirthTwins?

  init(_ name: String, _ table: TableMerge, _ tables: [String: TableMerge]) throws {
    self.table = table
    let rows = MergeSide.allCases.flatMap { side in
      table.changes[side].flatMap { [$0.base, $0.original] }.compactMap(\.self)
    }
    numbers = table.isNumbered ? Set(rows.compactMap(\.rowid)) : []
    keys = table.isNumbered ? [] : Set(rows.map(table.key))
    columns = Self.columns(name, table, tables)
    isAny = Self.hasMoves(name, table, tables)
    isAnyBirth = try Self.hasCloseBirths(name, table, tables)
    isAnyDeath =
      isAnyBirth || tables.values.contains { $0.references.contains { $0.parent == name } }
    twins = isAny || isAnyBirth ? nil : try BirthTwins(table)
  }

  /// Whether what the sides did under one number or key is not decided by itself.
  func contains(_ group: PlainGroup) -> Bool {
    if isAny { return true }
    if !numbers.isEmpty, numbers.contains(group.place.number) { return true }
    if !keys.isEmpty, keys.contains(table.key(named: group.place.key)) { return true }
    if isAnyBirth, !group.isUpdate { return true }
    if isAnyDeath, MergeSide.allCases.contains(where: group.hasDeath) { return true }
    return MergeSide.allCases.contains { isOdd(group, $0) }
  }

  private func isOdd(_ group: PlainGroup, _ side: MergeSide) -> Bool {
    guard let row = group.rows[side] else { return false }
    if group.hasBirth(side) {
      guard let twins, !twins.isEmpty, let new = row.change.original else { return false }
      return twins.contains(new)
    }
    guard row.isThere, !columns.isEmpty else { return false }
    let change = row.change
    guard let old = change.base, let new = change.original else { return true }
    return columns.contains { old.cells[$0] != new.cells[$0] }
  }

  /// Whether a row of the table, or of one that it points to, has another number on a side than in the base.
  private static func hasMoves(
    _ name: String, _ table: TableMerge, _ tables: [String: TableMerge]
  ) -> Bool {
    ([name] + table.references.map(\.parent)).contains { name in
      guard let table = tables[name], table.isNumbered else { return false }
      return MergeSide.allCases.contains { side in
        table.changes[side].contains { change in
          guard let old = change.base, let new = change.original else { return false }
          return old.rowid != new.rowid
        }
      }
    }
  }

  private static func columns(
    _ name: String, _ table: TableMerge, _ tables: [String: TableMerge]
  ) -> [Int] {
    var columns = Set((table.uniques + table.declared.keys).flatMap(\.columns))
    columns.formUnion(table.references.flatMap(\.columns))
    if case .primaryKey(let key) = table.shape.identity { columns.formUnion(key.map(\.column)) }
    for child in tables.values {
      for reference in child.references where reference.parent == name {
        columns.formUnion(reference.parentColumns)
      }
    }
    return columns.sorted()
  }

  /// Whether new rows may be other rows than they seem, or make such of others.
  private static func hasCloseBirths(
    _ name: String, _ table: TableMerge, _ tables: [String: TableMerge]
  ) throws -> Bool {
    var own = Set([table.shape.rowidColumn].compactMap(\.self))
    if case .primaryKey(let key) = table.shape.identity { own = Set(key.map(\.column)) }
    let isPartOfOther = table.naturalKeys.contains {
      !own.isDisjoint(with: $0.columns) && own != Set($0.columns)
    }
    let isReference = table.references.contains { !own.isDisjoint(with: $0.columns) }
    if isPartOfOther || isReference || table.rule == .singleton { return true }
    if isInCircle(name, tables) { return true }
    let pointing = tables.values.flatMap(\.references).filter { $0.parent == name }
    if pointing.isEmpty { return false }
    // Of a row that was deleted and made again, those that point to it know.
    return try !pointing.allSatisfy { Set($0.parentColumns) == own }
      || !table.naturalKeys.allSatisfy { key in
        Set(key.columns) == own && key.collations.allSatisfy { $0 == .binary }
      } && hasDeaths(table)
  }

  /// Whether a table points to itself, at once or through others.
  private static func isInCircle(_ name: String, _ tables: [String: TableMerge]) -> Bool {
    var seen: Set<String> = []
    var latest = [name]
    while let next = latest.popLast() {
      for parent in tables[next]?.references.map(\.parent) ?? [] {
        if parent == name { return true }
        if seen.insert(parent).inserted { latest.append(parent) }
      }
    }
    return false
  }

  private static func hasDeaths(_ table: TableMerge) throws -> Bool {
    if MergeSide.allCases.contains(where: { table.changes[$0].contains(where: \.isDelete) }) {
      return true
    }
    var reader = try table.plain?.reader()
    while let group = try reader?.next() {
      if MergeSide.allCases.contains(where: group.hasDeath) { return true }
    }
    return false
  }
}

/// Tells the new rows of both sides that may be one row under two numbers or keys, by short hashes of what would show it.
///
/// It may name more rows than there are: whether they are one is decided in memory.
struct BirthTwins {
  /// What would show it: the values of some columns, as a unique index compares them, or all cells.
  ///
  /// Columns that point to other rows are left out, as these rows may get other keys.
  private struct Mark {
    let columns: [Int]
    let unique: UniqueShape?
    var shared: Set<Int> = []

    func hash(_ row: MergeRow) -> Int? {
      if let unique {
        if row.values(unique.columns) == nil { return nil }
        let collations = zip(unique.columns, unique.collations).filter { columns.contains($0.0) }
        return CanonicalKey(columns.map { row.cells[$0] ?? .null }, collations: collations.map(\.1))
          .hashValue
      }
      return CanonicalKey(exactly: columns.map { row.cells[$0] ?? .null }).hashValue
    }
  }

  private struct Found {
    let hash: Int
    let place: Int
    let side: MergeSide
  }

  private let table: TableMerge
  private var marks: [Mark]

  /// Looks at all new rows of a table, in memory and put aside.
  init(_ table: TableMerge) throws {
    self.table = table
    let references = Set(table.references.flatMap(\.columns))
    marks = table.naturalKeys.map { unique in
      Mark(columns: unique.columns.filter { !references.contains($0) }, unique: unique)
    }
    let isFew = MergeSide.allCases.allSatisfy { side in
      table.changes[side].count + (table.plain?.spilled[side]?.count ?? 0) <= EqualBirths.mostRows
    }
    if isFew, table.hasOwnNumbers {
      let columns = table.shape.columns.indices.filter {
        $0 != table.shape.rowidColumn && !references.contains($0)
      }
      marks.append(Mark(columns: columns, unique: nil))
    }
    for index in marks.indices { marks[index].shared = try shared(marks[index]) }
  }

  /// Whether nothing would show it of any row.
  var isEmpty: Bool { marks.allSatisfy(\.shared.isEmpty) }

  /// Whether a new row may be another one of the other side.
  func contains(_ row: MergeRow) -> Bool {
    marks.contains { mark in
      !mark.shared.isEmpty && (mark.hash(row).map(mark.shared.contains) ?? false)
    }
  }

  /// The hashes that new rows of both sides have, under two numbers or keys.
  private func shared(_ mark: Mark) throws -> Set<Int> {
    var found: [Found] = []
    func add(_ row: MergeRow, _ side: MergeSide) {
      guard let hash = mark.hash(row) else { return }
      let place = table.isNumbered ? Int(row.rowid ?? 0) : table.key(row).hashValue
      found.append(Found(hash: hash, place: place, side: side))
    }
    for side in MergeSide.allCases {
      for change in table.changes[side] where change.isInsert {
        if let row = change.original { add(row, side) }
      }
    }
    var reader = try table.plain?.reader()
    while let group = try reader?.next() {
      for side in MergeSide.allCases where group.hasBirth(side) {
        if let row = group.rows[side]?.change.original { add(row, side) }
      }
    }
    found.sort { $0.hash < $1.hash }
    var shared: Set<Int> = []
    var start = 0
    while start < found.count {
      var end = start + 1
      while end < found.count, found[end].hash == found[start].hash { end += 1 }
      let rows = found[start..<end]
      let isOne = rows.count == 2 && found[start].place == found[start + 1].place
      if !isOne, Set(rows.map(\.side)).count == 2 { shared.insert(found[start].hash) }
      start = end
    }
    return shared
  }
}

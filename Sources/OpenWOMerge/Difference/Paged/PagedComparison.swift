/// Compares a table in two files by their pages: leaves that both share are passed over, and of the
/// others records are compared as bytes before anything is decoded.
struct PagedComparison {
  private let old: PagedTable
  private let new: PagedTable
  private let pair: TablePair
  private let collector: ChangeCollector
  /// Whether equal records are equal rows.
  private let comparesRecords: Bool

  init(_ old: PagedTable, _ new: PagedTable, _ pair: TablePair, _ collector: ChangeCollector) {
    self.old = old
    self.new = new
    self.pair = pair
    self.collector = collector
    comparesRecords = pair.hasSameColumns && old.text == new.text
  }

  /// Compares; `isUnchanged` tells of pages already known to be the same, overflow pages included.
  func run(isUnchanged: ((UInt32) -> Bool)?) throws {
    let shared = try sharedLeaves(isUnchanged)
    let oldRows = TreeCursor(old.walk, source: old.source, skipping: shared)
    let newRows = TreeCursor(new.walk, source: new.source, skipping: shared)
    if isInKeyOrder {
      try zipByKey(oldRows, newRows)
    } else if pair.old.isWithoutRowid || pair.new.isWithoutRowid {
      try matchInStep(oldRows, newRows)
    } else {
      try zipByRowid(oldRows, newRows)
    }
  }

  private func sharedLeaves(_ isUnchanged: ((UInt32) -> Bool)?) throws -> PageSet {
    var candidates = PageSet(pageCount: 0)
    guard comparesRecords, old.source.pageSize == new.source.pageSize,
      old.source.reservedBytes == new.source.reservedBytes
    else { return candidates }
    candidates = old.walk.leaves.intersection(new.walk.leaves)
    if let isUnchanged {
      var shared = candidates
      for page in candidates.pages where !isUnchanged(page) { shared.remove(page) }
      return shared
    }
    return try SharedLeaves(old.source, new.source, isTable: !pair.old.isWithoutRowid)
      .find(among: candidates)
  }

  private func zipByRowid(_ oldRows: TreeCursor, _ newRows: TreeCursor) throws {
    var keyed = pair.pairing == .rowid ? nil : pairing()
    var a = try oldRows.next()
    var b = try newRows.next()
    while a != nil || b != nil {
      if let before = a, let after = b, before.rowid == after.rowid {
        if try !hasSameRecord(before, after) { try paired(oldRows, newRows, &keyed) }
        a = try oldRows.next()
        b = try newRows.next()
      } else if let before = a, b.map({ before.rowid < $0.rowid }) ?? true {
        try removed(oldRows, &keyed)
        a = try oldRows.next()
      } else {
        try added(newRows, &keyed)
        b = try newRows.next()
      }
    }
    try keyed?.finish(into: collector)
  }

  /// Whether both tables have their rows in the order in which we compare keys.
  private var isInKeyOrder: Bool {
    guard case .key(_, _, let collations) = pair.pairing,
      collations.allSatisfy({ $0 == .binary })
    else { return false }
    return [(pair.old, old.text), (pair.new, new.text)].allSatisfy { table, text in
      guard table.isWithoutRowid, text == .utf8, case .primaryKey(let key) = table.identity,
        key.allSatisfy({ $0.collation == .binary })
      else { return false }
      return !SQLTokens(table.sql).contains("DESC")
    }
  }

  private func zipByKey(_ oldRows: TreeCursor, _ newRows: TreeCursor) throws {
    guard case .key(let oldKey, let newKey, _) = pair.pairing else { return }
    var (a, b) = (try oldRows.next(), try newRows.next())
    var (lastOld, lastNew): ([CellValue], [CellValue]) = ([], [])
    // A row that waits for the other side is read once only: it may be large.
    var (before, after): ([CellValue]?, [CellValue]?) = (nil, nil)
    while a != nil || b != nil {
      if before == nil, after == nil, let one = a, let other = b, try hasSameRecord(one, other) {
        a = try oldRows.next()
        b = try newRows.next()
        continue
      }
      before = try before ?? row(oldRows, old)
      after = try after ?? row(newRows, new)
      let keys = (
        before.map { row in oldKey.map { row[$0] } }, after.map { row in newKey.map { row[$0] } }
      )
      let rank = Self.rank(keys.0, keys.1)
      if rank <= 0, let key = keys.0 { try step(oldRows, &lastOld, to: key) }
      if rank >= 0, let key = keys.1 { try step(newRows, &lastNew, to: key) }
      let (found, next) = (before, after)
      if rank < 0 {
        try collector.add(key: keys.0 ?? [], old: { found ?? [] }, new: nil)
      } else if rank > 0 {
        try collector.add(key: keys.1 ?? [], old: nil, new: { next ?? [] })
      } else if let found, let next, pair.differs(found, next) {
        try collector.add(key: keys.1 ?? [], old: { found }, new: { next })
      }
      if rank <= 0 { (a, before) = (try oldRows.next(), nil) }
      if rank >= 0 { (b, after) = (try newRows.next(), nil) }
    }
  }

  /// Makes sure that the rows are in order: SQLite may tell what is wrong with them otherwise.
  private func step(_ rows: TreeCursor, _ last: inout [CellValue], to key: [CellValue]) throws {
    guard last.isEmpty || Self.rank(last, key) < 0 else {
      throw MalformedPage(page: rows.place.page, reason: .cellPointer)
    }
    last = key
  }

  /// How two keys compare as SQLite does; one that is not there comes last.
  private static func rank(_ old: [CellValue]?, _ new: [CellValue]?) -> Int {
    guard let old else { return 1 }
    guard let new else { return -1 }
    return CellValue.rank(ofKeys: old, new)
  }

  /// For rows in key order, which may be unknown to us: the side moves on whose row has a waiting
  /// pair.
  private func matchInStep(_ oldRows: TreeCursor, _ newRows: TreeCursor) throws {
    var keyed = keyedComparison()
    var a = try oldRows.next()
    var b = try newRows.next()
    while a != nil || b != nil {
      if let before = a, let after = b, try hasSameRecord(before, after) {
        a = try oldRows.next()
        b = try newRows.next()
        continue
      }
      let oldRow = try a.map { try old.values(of: $0, page: oldRows.place.page) }
      let newRow = try b.map { try new.values(of: $0, page: newRows.place.page) }
      if let newRow, try keyed.match(new: newRow, at: newRows.place) {
        b = try newRows.next()
      } else if let oldRow, try keyed.match(old: oldRow, at: oldRows.place) {
        a = try oldRows.next()
      } else {
        if let oldRow { try keyed.offer(old: oldRow, at: oldRows.place) }
        if let newRow { try keyed.offer(new: newRow, at: newRows.place) }
        if a != nil { a = try oldRows.next() }
        if b != nil { b = try newRows.next() }
      }
    }
    try keyed.finish(into: collector)
  }

  private func hasSameRecord(_ before: BTreeCell, _ after: BTreeCell) throws -> Bool {
    try comparesRecords && old.payload.hasSameRecord(before, as: after, of: new.payload)
  }

  private func pairing() -> any RowPairing {
    SortedComparison(
      pair, into: collector.sortFile, fetchOld: { try old.values(at: $0) },
      fetchNew: { try new.values(at: $0) }) ?? keyedComparison()
  }

  private func keyedComparison() -> KeyedComparison<TreeCursor.Place> {
    KeyedComparison(
      pair, fetchOld: { try old.values(at: $0) }, fetchNew: { try new.values(at: $0) })
  }
}

extension PagedComparison {
  private typealias Keyed = any RowPairing

  private func paired(
    _ oldRows: TreeCursor, _ newRows: TreeCursor, _ keyed: inout Keyed?
  ) throws {
    guard let before = try row(oldRows, old), let after = try row(newRows, new) else { return }
    if keyed != nil {
      try keyed?.offer(old: before, at: oldRows.place, new: after, at: newRows.place)
    } else if pair.differs(before, after) {
      try collector.add(key: rowid(newRows), old: { before }, new: { after })
    }
  }

  private func removed(_ rows: TreeCursor, _ keyed: inout Keyed?) throws {
    if keyed != nil {
      if let row = try row(rows, old) { try keyed?.offer(old: row, at: rows.place) }
    } else {
      try collector.add(key: rowid(rows), old: { try row(rows, old) ?? [] }, new: nil)
    }
  }

  private func added(_ rows: TreeCursor, _ keyed: inout Keyed?) throws {
    if keyed != nil {
      if let row = try row(rows, new) { try keyed?.offer(new: row, at: rows.place) }
    } else {
      try collector.add(key: rowid(rows), old: nil, new: { try row(rows, new) ?? [] })
    }
  }

  private func row(_ rows: TreeCursor, _ table: PagedTable) throws -> [CellValue]? {
    try rows.current.map { try table.values(of: $0, page: rows.place.page) }
  }

  private func rowid(_ rows: TreeCursor) -> [CellValue] { [.integer(rows.current?.rowid ?? 0)] }
}

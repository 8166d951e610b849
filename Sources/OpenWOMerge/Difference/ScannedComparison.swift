import OpenWOSQLite

/// Compares a table by reading all of its rows in both databases through SQL, in order.
///
/// This is the plain way, right for every table SQLite can read; the page comparison is checked
/// against it.
struct ScannedComparison {
  let old: Connection
  let new: Connection
  let pair: TablePair
  let collector: ChangeCollector

  func run() throws {
    let oldRows = RowScan(old, pair.old)
    let newRows = RowScan(new, pair.new)
    if pair.pairing == .rowid {
      try zipByRowid(oldRows, newRows)
    } else {
      try matchByKey(oldRows, newRows)
    }
  }

  private func zipByRowid(_ oldRows: RowScan, _ newRows: RowScan) throws {
    var a = try oldRows.next()
    var b = try newRows.next()
    while a != nil || b != nil {
      if let before = a, let after = b, before.rowid == after.rowid {
        if pair.differs(before.values, after.values) {
          try collector.add(
            key: [.integer(after.rowid)], old: { before.values }, new: { after.values })
        }
        a = try oldRows.next()
        b = try newRows.next()
      } else if let before = a, b.map({ before.rowid < $0.rowid }) ?? true {
        try collector.add(key: [.integer(before.rowid)], old: { before.values }, new: nil)
        a = try oldRows.next()
      } else if let after = b {
        try collector.add(key: [.integer(after.rowid)], old: nil, new: { after.values })
        b = try newRows.next()
      }
    }
  }

  private func matchByKey(_ oldRows: RowScan, _ newRows: RowScan) throws {
    var matching = KeyedComparison<[CellValue]>(pair, fetchOld: { $0 }, fetchNew: { $0 })
    var a = try oldRows.next()
    var b = try newRows.next()
    while a != nil || b != nil {
      if let row = a?.values {
        try matching.offer(old: row, at: row)
        a = try oldRows.next()
      }
      if let row = b?.values {
        try matching.offer(new: row, at: row)
        b = try newRows.next()
      }
    }
    try matching.finish(into: collector)
  }
}

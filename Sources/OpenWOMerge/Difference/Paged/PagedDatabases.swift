import OpenWOSQLite

/// The pages of both databases, if they can be read without SQLite.
struct PagedDatabases {
  private let old: (connection: Connection, source: any PageSource, text: StoredText)
  private let new: (connection: Connection, source: any PageSource, text: StoredText)
  private let known: KnownPages?

  /// Nil if the files are not the whole content (write-ahead log, a transaction of our own).
  init?(
    _ old: Connection, _ new: Connection, _ before: DatabaseSchema, _ after: DatabaseSchema,
    differing: PageSet?
  ) throws {
    guard let oldSource = try ConnectionPageSource(old),
      let newSource = try ConnectionPageSource(new)
    else { return nil }
    self.old = (old, oldSource, before.text)
    self.new = (new, newSource, after.text)
    known = try differing.flatMap { try KnownPages($0, oldSource, newSource) }
  }

  /// Compares one table into `collector`.
  func compare(_ pair: TablePair, into collector: ChangeCollector) throws {
    let before = try PagedTable(pair.old, old.source, old.connection, text: old.text)
    let after = try PagedTable(pair.new, new.source, new.connection, text: new.text)
    try PagedComparison(before, after, pair, collector).run(isUnchanged: known?.isUnchanged)
  }
}

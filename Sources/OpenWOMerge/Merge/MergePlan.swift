package import OpenWOSQLite

/// All that a merge has decided, before anything is written.
package struct MergePlan {
  /// The side whose database is to be copied; the plan is then written into the copy.
  package var ground: MergeSide { schema.ground }

  /// The report of the merge, table by table.
  package let report: MergeReport

  let schema: MergeSchema
  let base: Connection?
  let sides: Sides<Connection>
  let virtual: VirtualTables
  let clock: MergeClock
  /// So many rows of a table are told one by one.
  let listed: Int
  let planners: [String: OperationPlanner]
  /// Tables of the ground that are made again with another definition, by folded name.
  let rebuilds: [String: TableRebuild]
  let tables: [String: TableMerge]
  /// Table names, those pointed to before those that point.
  let order: [String]
  let operations: [String: [RowOperation]]
  /// Whether any row is written or deleted, also of those that are put aside.
  let writesRows: Bool
  let counters: [String: Int64]
  /// The counts of schema changes of the base and the sides.
  let cookies: [Int64]
  /// Whether rows of a table without a key were told apart by what is in them, as their numbers said nothing.
  let distrustsNumbers: Bool

  /// Writes the plan into a private copy of the ground and says what was done.
  ///
  /// All in one transaction: a `MergeRefusal` leaves the copy as it was. The copy's triggers do not fire,
  /// foreign keys are checked at the end, and everything else by SQLite itself. The base and the sides must still be open.
  package func write(into copy: Connection) throws -> MergeReport {
    let more = try MergeWriter(self, copy).write()
    let found = report.tables.map { table in
      var table = table
      if let more = more[SQLName.folded(table.table)] { table.add(more, upTo: listed) }
      return table
    }
    return MergeReport(
      ground: ground, tables: found, numbers: report.numbers, undeclared: report.undeclared,
      doubtful: report.doubtful)
  }
}

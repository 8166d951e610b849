import OpenWOMerge

extension DatabaseDifference {
  /// The counts of the tables that differ.
  var changes: [TableChange] {
    tables.map {
      TableChange(
        table: $0.table, inserted: $0.inserted, updated: $0.updated, deleted: $0.deleted,
        notCompared: $0.notCompared)
    }
  }
}

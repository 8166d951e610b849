/// How near two databases are, to find the version that somebody's edit was made from.
extension DatabaseDifference {
  /// In how many cells the two differ; a change of the schema counts as one.
  package var distance: Int {
    tables.filter { !$0.followsRows }.reduce(schemaChanges.count) { $0 + $1.distance }
  }

  /// Whether the rows of all tables were compared.
  package var comparesAll: Bool { tables.allSatisfy { $0.followsRows || $0.notCompared == nil } }

  /// How many rows of the first database are gone in the second one, or have mostly other values;
  /// nil if that is not known of all.
  package var lostRows: Int? {
    var lost = 0
    for table in tables where !table.followsRows {
      guard table.notCompared == nil, !table.isCutShort else { return nil }
      lost += table.deleted
      lost += table.rows.count { $0.kind == .updated && !$0.isOfOneRow(as: $0.old) }
    }
    return lost
  }
}

extension TableDifference {
  /// In how many cells the rows differ; of rows beyond the limit of the comparison all cells count.
  fileprivate var distance: Int {
    let unseen = inserted + updated + deleted - rows.count
    return rows.reduce(max(unseen, 0) * max(oldColumns.count, newColumns.count)) {
      $0 + $1.distance
    }
  }
}

extension RowChange {
  /// In how many cells the row differs; one that was put in the place of another has all cells of both.
  fileprivate var distance: Int {
    guard let old, let new, isOfOneRow(as: old) else {
      return (old?.count ?? 0) + (new?.count ?? 0)
    }
    return zip(old, new).count { $0 != $1 }
  }
}

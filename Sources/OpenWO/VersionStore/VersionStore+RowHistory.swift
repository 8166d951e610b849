import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// The history of one row, version by version; changes nothing.
extension VersionStore {
  /// The versions in which a row is another one than in all that they were made from, newest first.
  func history(of rows: RowsRequest) throws -> RowHistory {
    try refresh()
    let listing = try listed()
    var known: [ContentHash: TableRow?] = [:]
    var result = RowHistory()
    func row(_ version: Version) throws -> TableRow? {
      if let row = known[version.content] { return row }
      let found = try look(rows, in: version, listing)
      known[version.content] = .some(found)
      return found
    }
    for version in listing.graph.newestFirst {
      guard listing.archive.holds(version.content) else {
        result.unread += 1
        continue
      }
      do {
        let now = try row(version)
        if now != nil { result.isTableKnown = true }
        let before = try held(version.parents, listing).map(row)
        if before.contains(where: { $0.content == now.content }) { continue }
        guard !before.isEmpty || now?.values != nil else { continue }
        result.changes.append(RowHistory.Change(version, before.first ?? nil, now))
      } catch  where error is SQLiteError || error is HistoryError {
        result.unread += 1
      }
    }
    return result
  }

  private func look(
    _ rows: RowsRequest, in version: Version, _ listing: VersionListing
  ) throws -> TableRow? {
    let reader = try archive.reader(version.content, in: listing.archive)
    let connection = try Connection(contentOf: reader.size, read: reader.read)
    defer { connection.close() }
    return try TableRow(connection, table: rows.table, key: rows.key ?? [])
  }

  /// The nearest versions whose content is here.
  func held(_ parents: [VersionID], _ listing: VersionListing) -> [Version] {
    var found: [Version] = []
    var (seen, next) = (Set<VersionID>(), parents)
    while let id = next.popLast() {
      guard seen.insert(id).inserted, let version = listing.graph[id] else { continue }
      if listing.archive.holds(version.content) {
        found.append(version)
      } else {
        next += version.parents
      }
    }
    return found.sorted { $1.loses(to: $0) }
  }
}

extension TableRow? {
  /// The values that distinguish states of a row, whatever columns it had.
  fileprivate var content: [String: CellValue]? {
    self?.values.map { values in
      Dictionary(
        zip(self?.columns ?? [], values), uniquingKeysWith: { first, _ in first })
    }
  }
}

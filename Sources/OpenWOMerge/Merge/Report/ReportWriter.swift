/// Counts what was decided, table by table.
struct ReportWriter {
  let ground: MergeSide
  let tables: [String: TableMerge]

  func report(_ merged: [String: [MergedRow]]) -> MergeReport {
    let reports = tables.keys.sorted().compactMap { name -> MergedTable? in
      guard let table = tables[name] else { return nil }
      let report = self.table(table, merged[name] ?? [])
      return report.isUntouched ? nil : report
    }
    return MergeReport(ground: ground, tables: reports)
  }

  private func table(_ table: TableMerge, _ rows: [MergedRow]) -> MergedTable {
    var report = MergedTable(table: table.shape.name)
    for row in rows {
      switch row.outcome {
      case .oneSided(.ours, _): report.fromOurs += 1
      case .oneSided(.theirs, _): report.fromTheirs += 1
      case .convergent, .resolved: report.converged += 1
      case .decided: report.decided += row.decisions
      }
    }
    report.renumbered = table.renumbered.sorted { CellValue.rank($0.from, $1.from) < 0 }
    return report
  }
}

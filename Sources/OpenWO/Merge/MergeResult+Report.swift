import OpenWOHistory
import OpenWOMerge

/// A planner's report in the words of a result.
extension MergeResult {
  /// Takes a report over; `isSwapped` says that the planner's first side is theirs.
  init(
    _ report: MergeReport, base: VersionID?, previous: VersionID, theirs: VersionID,
    isSwapped: Bool
  ) {
    self.base = base
    self.previous = previous
    self.theirs = theirs
    tables = report.tables.map { Table($0, isSwapped: isSwapped) }
    undeclared = report.undeclared.map {
      UndeclaredReference(table: $0.table, column: $0.column, parent: $0.parent)
    }
  }
}

extension MergeResult.Table {
  init(_ found: MergedTable, isSwapped: Bool) {
    self.init(
      table: found.table, fromOurs: isSwapped ? found.fromTheirs : found.fromOurs,
      fromTheirs: isSwapped ? found.fromOurs : found.fromTheirs, converged: found.converged,
      same: found.same.map { $0.map(DataValue.init) },
      together: found.together.map {
        MergeResult.JoinedRow(
          key: $0.key.map(DataValue.init), ours: $0.columns[isSwapped ? .theirs : .ours],
          theirs: $0.columns[isSwapped ? .ours : .theirs])
      },
      decided: found.decided.map { MergeResult.Decision($0, isSwapped: isSwapped) },
      renumbered: found.renumbered.map {
        MergeResult.Renumbering(
          side: MergeResult.Side($0.side, isSwapped: isSwapped),
          from: $0.from.map(DataValue.init), to: $0.to.map(DataValue.init),
          isSameRow: $0.isSameRow)
      },
      unlisted: MergeResult.Unlisted(found.unlisted))
  }
}

extension MergeResult.Unlisted {
  /// Nil if all rows are listed.
  fileprivate init?(_ found: MergedTable.Unlisted) {
    if found == MergedTable.Unlisted() { return nil }
    self.init(
      same: found.same, together: found.together, renumbered: found.renumbered,
      byClock: found.byClock, byChoice: found.byChoice, byRule: found.byRule)
  }
}

extension MergeResult.Decision {
  init(_ found: MergeDecision, isSwapped: Bool) {
    let (reason, decidedBy): (String, String?) =
      switch found.reason {
      case .column(let name): ("column", name)
      case .versionTime: ("versionTime", nil)
      case .fillsColumn: ("fillsColumn", nil)
      case .keepsRows: ("keepsRows", nil)
      case .chosen: ("chosen", nil)
      case .rule(.ours): ("rule", isSwapped ? "theirs" : "ours")
      case .rule(.theirs): ("rule", isSwapped ? "ours" : "theirs")
      case .rule(let rule): ("rule", rule.rawValue)
      }
    self.init(
      key: found.key.map(DataValue.init), conflict: found.conflict.rawValue,
      columns: found.columns, winner: MergeResult.Side(found.winner, isSwapped: isSwapped),
      reason: reason, decidedBy: decidedBy,
      lost: found.lost.map {
        MergeResult.LostCell(column: $0.column, value: DataValue($0.value))
      })
  }
}

extension MergeResult.Side {
  init(_ side: MergeSide, isSwapped: Bool) {
    self = (side == .ours) != isSwapped ? .ours : .theirs
  }
}

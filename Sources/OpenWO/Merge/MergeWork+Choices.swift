import OpenWOHistory
import OpenWOMerge

/// A person's choices for the conflicts of a merge.
extension MergeWork {
  /// Refuses choices that are not about the conflicts of this merge; it is merged without them to find those out.
  func checkChoices() throws {
    guard let choices else { return }
    var unguided = self
    unguided.choices = nil
    unguided.listsAll = true
    let all = try unguided.run(\.result)
    // Nobody was shown the others: they may be chosen, and need not.
    var shown = all
    for index in shown.tables.indices {
      shown.tables[index].decided.removeSubrange(
        min(MergeOptions.mostListed, shown.tables[index].decided.count)...)
    }
    try refuse(
      ConflictChoice.fault(in: choices, for: all.conflicts, shown: shown.conflicts))
  }

  /// Refuses any choice, as there is nothing to merge.
  func refuseChoices() throws {
    try refuse(choices.flatMap { ConflictChoice.fault(in: $0, for: [], shown: []) })
  }

  /// Refuses a result that differs from the choices.
  func checkChosen(_ result: MergeResult) throws {
    try refuse(choices.flatMap { ConflictChoice.fault(in: $0, after: result) })
  }

  private func refuse(_ fault: String?) throws {
    guard let fault else { return }
    throw StoreError.choicesRefused(fault, theirSide, store.paths)
  }
}

extension RowChoice {
  /// A choice in the planner's words, whose first side is ours or theirs.
  init(_ choice: ConflictChoice, isSwapped: Bool) {
    self.init(
      table: choice.table, key: choice.key.map(CellValue.init), column: choice.column,
      side: (choice.side == .ours) != isSwapped ? .ours : .theirs)
  }
}

extension CellValue {
  fileprivate init(_ value: DataValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(Array(text.utf8))
    case .invalidText(let bytes): self = .text(bytes)
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}

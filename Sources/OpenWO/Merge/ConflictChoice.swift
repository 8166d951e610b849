import OpenWOFiles

/// The side that is taken for a row, or for one cell of it, on which both sides differ.
public struct ConflictChoice: Sendable, Hashable, Codable {
  /// The table.
  public var table: String
  /// The key of the row in the result.
  public var key: [DataValue]
  /// The column; nil for all cells of the row that differ.
  public var column: String?
  /// The side that wins.
  public var side: MergeResult.Side

  /// Chooses a side for a row, or for one cell of it.
  public init(table: String, key: [DataValue], column: String? = nil, side: MergeResult.Side) {
    self.table = table
    self.key = key
    self.column = column
    self.side = side
  }
}

extension ConflictChoice {
  /// A row, or a cell of it.
  private struct Place: Hashable {
    var table: String
    var key: [DataValue]
    var column: String?
  }

  private var place: Place { Place(table: table, key: key, column: column) }
  private var row: Place { Place(table: table, key: key, column: nil) }

  /// Its subject, such as `text of row 3 of entry`.
  private var label: String {
    let row = "row \(key.map(\.description).joined(separator: ", ")) of \(table)"
    return String(printable: (column.map { "\($0) of \(row)" } ?? row).utf8)
  }

  /// Why choices are not those that a merge asks for; nil if they are.
  ///
  /// A choice without a column is for all of a row that has no choice of its own.
  /// All that a dry run shows have to be chosen.
  static func fault(
    in choices: [ConflictChoice], for conflicts: [ConflictChoice], shown: [ConflictChoice]
  ) -> String? {
    let known = Set(conflicts.map(\.place)).union(conflicts.map(\.row))
    var chosen: Set<Place> = []
    for choice in choices where !chosen.insert(choice.place).inserted {
      return "\(choice.label) is chosen twice"
    }
    if let strange = names(of: choices.filter { !known.contains($0.place) }) {
      return "there is no conflict about \(strange)"
    }
    let open = shown.filter { !chosen.contains($0.place) && !chosen.contains($0.row) }
    return names(of: open).map { "no side is chosen for \($0)" }
  }

  /// Why a merge did not do what was chosen; nil if it did.
  static func fault(in choices: [ConflictChoice], after result: MergeResult) -> String? {
    var done: Set<ConflictChoice> = []
    for table in result.tables {
      for decision in table.decided where decision.reason == "chosen" {
        for column in decision.columns.map(Optional.some) + [nil] {
          done.insert(
            ConflictChoice(
              table: table.table, key: decision.key, column: column, side: decision.winner))
        }
      }
    }
    // A choice for a row may have given way to those for each of its cells.
    let own = Set(choices.filter { $0.column != nil }.map(\.row))
    let failed = choices.filter {
      !done.contains($0) && !($0.column == nil && own.contains($0.row))
    }
    return names(of: failed).map {
      "\($0) cannot be as chosen, since a row that stays points to it"
    }
  }

  private static func names(of choices: [ConflictChoice]) -> String? {
    guard let first = choices.first else { return nil }
    return choices.count == 1 ? first.label : "\(first.label) and \(choices.count - 1) more"
  }
}

extension MergeResult {
  /// The conflicts that a person may decide otherwise, each with the side that won.
  ///
  /// A row that stays because another one refers to it is not among them.
  public var conflicts: [ConflictChoice] {
    var known: Set<ConflictChoice> = []
    return tables.flatMap { table in
      let whole = Set(table.decided.filter { $0.conflict == "constraint" }.map(\.key))
      return table.decided.flatMap { decision -> [ConflictChoice] in
        let isWhole = whole.contains(decision.key)
        if decision.conflict == "deleteAgainstReference" { return [] }
        if isWhole, decision.conflict != "constraint" { return [] }
        let columns =
          isWhole || decision.columns.isEmpty ? [nil] : decision.columns.map(Optional.some)
        return columns.map { column in
          ConflictChoice(
            table: table.table, key: decision.key, column: column, side: decision.winner)
        }
      }
    }.filter { known.insert($0).inserted }
  }
}

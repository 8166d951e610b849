/// The options of a comparison.
package struct DifferenceOptions: Sendable {
  /// How many of the changed rows to keep.
  package enum Rows: Hashable, Sendable {
    /// None: only count them.
    case counted
    /// The first ones of each table.
    case upTo(Int)
    /// All of them.
    case all
  }

  /// How many of the changed rows to keep.
  package var rows: Rows
  /// Whether the tables behind virtual tables are compared like any others.
  package var includesShadowTables = false
  /// Whether to compare pages of the two files and pass over what they share.
  ///
  /// Off, every row of both is read through SQL; the answer is the same.
  package var usesPages = true
  /// The pages that may differ between the two files, if known.
  package var differingPages: PageSet?

  /// Is told the name of each table before it is compared.
  package var telling: (@Sendable (String) -> Void)?

  /// Whether virtual tables are compared by the rows that they keep themselves.
  ///
  /// Those of unknown modules, and others whose rows cannot be read, are listed as not compared if their content differs.
  var includesVirtualContent = false

  /// Whether an index that a module keeps of another table's rows counts as well, and nothing that an unknown module keeps counts as read.
  var includesIndexes = false

  /// The tables to compare, by folded name; nil for all.
  var onlyTables: Set<String>?

  /// Assumptions that are not made; nil if the difference is for people to read.
  ///
  /// If it is not nil, a written value in a column that only the second database has is a change,
  /// too.
  var doubts: Doubts?

  /// A difference that keeps these rows.
  package init(rows: Rows = .counted) { self.rows = rows }

  /// A difference for people to read, with the rows of virtual tables.
  package static func forReading(rows: Rows = .counted) -> DifferenceOptions {
    var options = DifferenceOptions(rows: rows)
    options.includesVirtualContent = true
    return options
  }

  /// Options for a difference with every change, to judge which version a database follows from.
  package static func ofAllChanges(rows: Rows) -> DifferenceOptions {
    var options = DifferenceOptions(rows: rows)
    options.doubts = Doubts()
    options.includesVirtualContent = true
    options.includesIndexes = true
    return options
  }
}

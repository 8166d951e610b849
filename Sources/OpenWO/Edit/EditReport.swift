package import OpenWOHistory

/// The result of an edit, or of a dry run.
package struct EditReport: Sendable, Hashable {
  /// The version that holds the edit; nil if no row differs, or it was only asked.
  package var version: VersionID?
  /// The version that was live before; nil if the live content is in no version yet.
  package var previous: VersionID?
  /// How many rows each statement wrote, by triggers and cascades too.
  package var written: [Int]
  /// The difference.
  package var difference: DifferenceReport
}

extension DifferenceReport {
  /// How many rows differ; nil if some could not be compared.
  package var changedRows: Int? {
    guard tables.allSatisfy({ $0.notCompared == nil }) else { return nil }
    return tables.reduce(0) { $0 + $1.inserted + $1.updated + $1.deleted }
  }
}

import OpenWO

/// How local data moved into the synced folder, or why it did not; each report is kept in a log.
public struct AttachReport: Sendable, Hashable, Codable {
  /// The kind of outcome.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The folder was empty: the file was copied.
    case copied
    /// The folder had data: the rows were merged by key.
    case merged
    /// The folder already had everything.
    case nothingNew
    /// The move failed; the data stays in the local file, and the next start tries again.
    case failed
    /// The folder is another account's: the local data was set aside.
    case setAside
  }

  /// The rows of one table.
  public struct Table: Sendable, Hashable, Codable {
    /// Its name.
    public var table: String
    /// Rows that the folder did not have.
    public var copied: Int
    /// Rows that both had.
    public var merged: Int
    /// Of those, the ones in which one side lost.
    public var decided: Int
    /// Rows with a new key.
    public var renumbered: Int
  }

  /// When it was done.
  public var at: Timestamp
  /// The kind of outcome.
  public var kind: Kind
  /// The rows, table by table.
  public var tables: [Table]
  /// Why it failed.
  public var failure: String?
  /// The current path of the local file.
  public var keptAt: String?
}

extension Catalogue {
  /// The text for a person about how local data moved into the folder; nil if there is nothing to
  /// say.
  public func attached(_ report: AttachReport) -> String? {
    report.kind == .setAside ? self[.otherAccount] : nil
  }

  /// How the data of this device came into the folder, in one line for a log.
  public func logged(_ report: AttachReport) -> String {
    switch report.kind {
    case .setAside: return self[.otherAccount]
    case .failed: return self[.notBroughtIn]
    case .nothingNew: return migrated([], failed: 0)
    case .copied, .merged: return migrated(report.tables, failed: 0)
    }
  }

  private func migrated(_ tables: [AttachReport.Table], failed: Int) -> String {
    var words = self[.migrated]
    let rows = tables.map { table in
      let count = table.copied + table.merged
      return language == .ja ? "\(table.table) \(count)件" : "\(table.table) \(count)"
    }
    let none = language == .ja ? "0件" : "0"
    let list = rows.isEmpty ? none : rows.joined(separator: language == .ja ? "、" : ", ")
    words.replace("{tables}", with: list)
    words.replace("{failed}", with: String(failed))
    return words
  }
}

extension AttachReport.Table {
  /// The result of a merge for a table, if the local file was the other side.
  init(_ table: MergeResult.Table) {
    self.init(
      table: table.table, copied: table.fromTheirs,
      merged: table.converged + table.decidedCount, decided: table.decidedCount,
      renumbered: table.renumberedCount)
  }

  /// The sum of several reports, each table once, in order of name.
  static func sum(_ all: [AttachReport.Table]) -> [AttachReport.Table] {
    let sums = all.reduce(into: [String: AttachReport.Table]()) { sums, table in
      guard var sum = sums[table.table] else { return sums[table.table] = table }
      sum.copied += table.copied
      sum.merged += table.merged
      sum.decided += table.decided
      sum.renumbered += table.renumbered
      sums[table.table] = sum
    }
    return sums.values.sorted { $0.table < $1.table }
  }

  /// The result of a copy for a table.
  init(_ table: (name: String, rows: Int)) {
    self.init(table: table.name, copied: table.rows, merged: 0, decided: 0, renumbered: 0)
  }
}

import OpenWO

/// How the data of one device came into the synced folder, or why it did not; one is kept in the log each time.
public struct AttachReport: Sendable, Hashable, Codable {
  /// What was done.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The folder was empty: the file was copied.
    case copied
    /// The folder had data: rows were brought together by key.
    case merged
    /// There was nothing that the folder does not have.
    case nothingNew
    /// It failed; the data stays in the file on this device, and the next start tries again.
    case failed
    /// Another account's folder is there: the data of the one before was set aside.
    case setAside
  }

  /// What became of the rows of one table.
  public struct Table: Sendable, Hashable, Codable {
    /// Its name.
    public var table: String
    /// Rows that the folder did not have.
    public var copied: Int
    /// Rows that both had.
    public var merged: Int
    /// Of those, the ones where one side had to give way.
    public var decided: Int
    /// Rows with a new key.
    public var renumbered: Int
  }

  /// When it was done.
  public var at: Timestamp
  /// What was done.
  public var kind: Kind
  /// The rows, table by table.
  public var tables: [Table]
  /// Why it failed.
  public var failure: String?
  /// Where the file of this device is now.
  public var keptAt: String?
}

extension Catalogue {
  /// What a person is told of how the data of this device came into the folder; nil if there is nothing to tell.
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
  /// What a merge says of a table, when the file of this device was the other side.
  init(_ table: MergeResult.Table) {
    self.init(
      table: table.table, copied: table.fromTheirs,
      merged: table.converged + table.decided.count, decided: table.decided.count,
      renumbered: table.renumbered.count)
  }

  /// What became of rows in several goes, each table once, in order of name.
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

  /// What a copy says of a table.
  init(_ table: (name: String, rows: Int)) {
    self.init(table: table.name, copied: table.rows, merged: 0, decided: 0, renumbered: 0)
  }
}

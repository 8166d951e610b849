public import OpenWOHistory

/// Something that happened to a store; a plain value, so that an app's tests can make their own.
public enum StoreEvent: Sendable, Hashable {
  /// The live file is now a version that came from elsewhere: reload what is on screen.
  case imported(VersionID, changes: [TableChange])
  /// This device wrote a version: after a write, an edit under a lock, or for a file that came without one.
  case captured(VersionID, reason: VersionReason)
  /// A version of this device is in the synced folder, from which other devices get it.
  case published(VersionID)
  /// A conflict was resolved: the winner is live and the losers stay in the history.
  ///
  /// `setAside` has the writer and the changed rows of each losing side, so that an app can show
  /// them and offer a merge; a side that arrived twice is in it once.
  case settled(winner: VersionID, losers: [VersionID], setAside: [SetAside])
  /// Stores that devices had begun apart were joined; the rows of all are live.
  case joined(VersionID, stores: [String])
  /// Somebody holds the lock; writes throw until it ends.
  case locked(StoreLock)
  /// The lock ended; writes succeed again.
  case unlocked(lock: String)
  /// The live file was missing or damaged and was restored from a version.
  case repaired(VersionID, reason: String)
  /// Something needs a person's eye; the data is kept.
  case problem(StoreError)
}

extension StoreEvent {
  /// Whether rows came that no call of this app has written, so that a screen must be read again.
  ///
  /// The device's own captures and publications are on its screen already.
  public var bringsRows: Bool {
    switch self {
    case .imported, .repaired, .unlocked, .joined: true
    case .captured(_, let reason): [.merge, .external, .restore].contains(reason)
    case .published, .settled, .locked, .problem: false
    }
  }
}

/// The numbers of rows of one table that differ.
public struct TableChange: Sendable, Hashable, Codable {
  /// The table's name.
  public var table: String
  /// Rows that are only in the newer state.
  public var inserted: Int
  /// Rows whose values differ.
  public var updated: Int
  /// Rows that are only in the older state.
  public var deleted: Int
  /// The columns in which updated rows differ, in the table's order; only with an import.
  public var columns: [String]
  /// Why the rows were not counted though the contents may differ; nil if they were.
  public var notCompared: String?

  /// Makes a count from its parts.
  public init(
    table: String, inserted: Int, updated: Int, deleted: Int, columns: [String] = [],
    notCompared: String? = nil
  ) {
    self.table = table
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.columns = columns
    self.notCompared = notCompared
  }
}

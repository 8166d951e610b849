/// Why data cannot be synced, in kinds that a person can act on.
public enum SyncErrorKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// The folder is no longer there, or cannot be written.
  case notAuthenticated
  /// The folder's disk or quota is full.
  case quotaExceeded
  /// There is no network.
  case networkUnavailable
  /// The folder or its service does not answer properly.
  case serviceUnavailable
  /// Somebody else uses the file; this ends by itself.
  case requestRateLimited
  /// The file in the folder is damaged.
  case damaged
  /// The file in the folder is missing; its versions are there.
  case missing
  /// The file in the folder was written by a newer version of the app.
  case newerVersion
  /// A copy that a sync service made of the file is not whole, so it cannot be brought in.
  case unfinishedCopy

  /// The kind of a store's error; nil for an error that does not prevent syncing.
  public init?(_ code: StoreError.Code) {
    switch code {
    case .noSpace: self = .quotaExceeded
    case .notPermitted, .otherStore, .noStore: self = .notAuthenticated
    case .unavailable, .io, .inDoubt, .traces: self = .serviceUnavailable
    case .busy: self = .requestRateLimited
    case .damaged, .notADatabase, .notRestorable: self = .damaged
    case .newerFormat, .newerSchema: self = .newerVersion
    case .copyNotWhole: self = .unfinishedCopy
    default: return nil
    }
  }

  /// The kind of what a sync left open; nil for what ends by itself, as while a file still arrives.
  init?(unsettled error: StoreError) {
    if error.code == .unavailable, !error.remedies.contains(.checkFolder) { return nil }
    self.init(error.code)
  }
}

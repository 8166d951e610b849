/// What keeps data from being synced, in kinds that a person can do something about.
public enum SyncErrorKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// The folder that was there is not, or it is not ours to write.
  case notAuthenticated
  /// No space is left where the folder is.
  case quotaExceeded
  /// No network is in sight.
  case networkUnavailable
  /// The folder or its service does not answer as it should.
  case serviceUnavailable
  /// Somebody else has the file; it works again by itself.
  case requestRateLimited
  /// The file in the folder is damaged.
  case damaged
  /// The file in the folder is missing; its versions are there.
  case missing
  /// The file in the folder was written by a newer version of the app.
  case newerVersion

  /// The kind that a store's error is of; nil for what keeps nothing from being synced.
  public init?(_ code: StoreError.Code) {
    switch code {
    case .noSpace: self = .quotaExceeded
    case .notPermitted, .otherStore, .noStore: self = .notAuthenticated
    case .unavailable, .io, .inDoubt, .traces: self = .serviceUnavailable
    case .busy: self = .requestRateLimited
    case .damaged, .notADatabase, .notRestorable: self = .damaged
    case .newerFormat, .newerSchema: self = .newerVersion
    default: return nil
    }
  }
}

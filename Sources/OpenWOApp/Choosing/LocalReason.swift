/// Why the file on this device is open instead of the one in the synced folder.
public enum LocalReason: Sendable, Hashable {
  /// Syncing is switched off.
  case switchedOff
  /// No folder is set up, or it is not there.
  case noAccount
  /// The folder may not be written.
  case restricted
  /// The folder did not answer in time.
  case noAnswer
  /// The folder has no room.
  case full
  /// The file in the folder could not be opened.
  case failed(StoreError)

  /// The kind of error for the sync state.
  var errorKind: SyncErrorKind? {
    switch self {
    case .switchedOff, .noAccount, .restricted: nil
    case .noAnswer: .serviceUnavailable
    case .full: .quotaExceeded
    case .failed(let error): SyncErrorKind(error.code) ?? .serviceUnavailable
    }
  }
}

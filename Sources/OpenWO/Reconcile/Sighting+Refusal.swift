import OpenWOFiles

extension Sighting.Live {
  /// The error why a live file cannot be used now; `isAwaited` says that a service may still
  /// deliver it.
  func refusal(isAwaited: Bool, _ paths: StorePaths) -> StoreError {
    switch self {
    case .missing: .missing(paths)
    case .whole where isAwaited, .doubtful where isAwaited, .writeAheadLog where isAwaited:
      .stillArriving(paths)
    case .doubtful(let why, _): .damaged(why, paths)
    case .writeAheadLog: .openInWAL(paths)
    case .unreadable(.unusable(let why)): .unusable(why, paths)
    case .whole, .unreadable, .changing: .busy(paths)
    }
  }
}

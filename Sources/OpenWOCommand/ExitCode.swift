import OpenWO

/// The statuses that the command ends with; scripts rely on them.
struct ExitCode: Error, Hashable {
  let status: Int32

  init(_ status: Int32) {
    self.status = status
  }

  /// Done, or nothing to do.
  static let done = ExitCode(0)
  /// Something is wrong that has no status of its own.
  static let failed = ExitCode(1)
  /// A question was answered with no, because `--check` asked for it.
  static let no = ExitCode(3)

  /// Ended by a signal.
  static func signal(_ number: Int32) -> ExitCode { ExitCode(128 + number) }

  /// The one mapping from what went wrong to a status.
  init(_ code: StoreError.Code) {
    switch code {
    case .noStore, .traces: status = 10
    case .locked: status = 11
    case .busy: status = 12
    case .notYourLock, .lockLost: status = 13
    case .headMoved: status = 14
    case .damaged, .notADatabase: status = 20
    case .newerFormat, .newerSchema: status = 21
    case .unavailable, .notPermitted, .otherStore, .copyNotWhole: status = 22
    case .noSpace: status = 23
    case .usage: status = 64
    case .timeLimit: status = 124
    case .noSuchProgram: status = 127
    default: status = 1
    }
  }
}

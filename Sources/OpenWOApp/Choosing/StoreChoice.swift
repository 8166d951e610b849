/// Which of the two files an app opens; a pure function of the switch and of what was found.
enum StoreChoice: Sendable, Hashable {
  case synced
  case local(LocalReason)

  init(syncEnabled: Bool, _ finding: FolderFinding) {
    guard syncEnabled else {
      self = .local(.switchedOff)
      return
    }
    switch finding.availability {
    case .available: self = finding.problem == .quotaExceeded ? .local(.full) : .synced
    case .noAccount: self = .local(.noAccount)
    case .restricted: self = .local(.restricted)
    case .unknown: self = .local(.noAnswer)
    }
  }
}

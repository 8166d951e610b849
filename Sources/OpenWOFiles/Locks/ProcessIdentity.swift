import OpenWOCFiles

/// One process of this machine, told from a later one that got the same number.
package struct ProcessIdentity: Sendable, Hashable, Codable {
  /// The number the kernel gave it.
  package var pid: Int32
  /// When it started, in a unit of the system's own; 0 when that cannot be seen.
  package var startTime: Int64
  /// Changes with every boot.
  package var bootID: String
  /// The namespace the number belongs to, as containers count for themselves; 0 without one.
  package var pidNamespace: UInt64

  /// An identity of its parts.
  package init(pid: Int32, startTime: Int64, bootID: String, pidNamespace: UInt64) {
    self.pid = pid
    self.startTime = startTime
    self.bootID = bootID
    self.pidNamespace = pidNamespace
  }

  /// The running process.
  package static var current: ProcessIdentity {
    let pid = getpid()
    return ProcessIdentity(running: pid)
      ?? ProcessIdentity(
        pid: pid, startTime: 0, bootID: Machine.bootID, pidNamespace: ProcessTable.namespace)
  }

  /// The process that has this number now; nil if none is visible.
  package init?(running pid: Int32) {
    guard let state = ProcessTable.state(of: pid), !state.isZombie else { return nil }
    self.init(
      pid: pid, startTime: state.startTime, bootID: Machine.bootID,
      pidNamespace: ProcessTable.namespace)
  }

  /// Whether a process runs.
  package enum Liveness: Sendable, Hashable {
    case alive, dead
    /// Another container or user keeps it from our eyes.
    case unknown
  }

  /// Whether it runs still; to be asked about processes of this machine only.
  package var liveness: Liveness {
    guard bootID == Machine.bootID else { return .dead }
    guard pidNamespace == ProcessTable.namespace else { return .unknown }
    if let state = ProcessTable.state(of: pid) {
      return state.startTime == startTime && !state.isZombie ? .alive : .dead
    }
    // Not in the table: gone, or hidden from us (hidepid, no /proc).
    return kill(pid, 0) == -1 && openwo_errno() == ESRCH ? .dead : .unknown
  }
}

/// A lock that was taken, and who has seen it.
public struct LockReport: Sendable, Hashable {
  /// The lock.
  public var lock: StoreLock
  /// Devices that have let go.
  public var acknowledgedBy: [DeviceSummary]
  /// Devices that have not answered.
  public var waitingFor: [DeviceSummary]
  /// Devices that have a newer version than the one the edit starts from: it is still on its way.
  public var newerOn: [DeviceSummary]
}

/// What is asked of `lock`.
public struct LockRequest: Sendable, Hashable {
  /// Why, for everybody who meets the lock.
  public var note: String?
  /// Ends the lock by itself after this time, counted from when it is held.
  public var duration: Duration?
  /// How long to wait for somebody else's lock and for the devices seen lately to answer; nil: not at all.
  public var waitingUpTo: Duration?
  /// Whether the lock stays when this process ends: a person's lock does, a program's does not.
  public var outlivesProcess: Bool
  /// The program that takes it.
  public var program: String

  /// Makes a request; by default a program's lock that ends with the process.
  public init(
    note: String? = nil, duration: Duration? = nil, waitingUpTo: Duration? = nil,
    outlivesProcess: Bool = false, program: String = "app"
  ) {
    self.note = note
    self.duration = duration
    self.waitingUpTo = waitingUpTo
    self.outlivesProcess = outlivesProcess
    self.program = program
  }
}

/// A lock that was taken, and which devices have seen it.
public struct LockReport: Sendable, Hashable {
  /// The lock.
  public var lock: StoreLock
  /// Devices that have closed the database.
  public var acknowledgedBy: [DeviceSummary]
  /// Devices that have not answered.
  public var waitingFor: [DeviceSummary]
  /// Devices with a newer version than the one that the edit starts from; it has not arrived yet.
  public var newerOn: [DeviceSummary]
}

/// The options of a lock.
public struct LockRequest: Sendable, Hashable {
  /// The reason, for everybody who meets the lock.
  public var note: String?
  /// The time after which the lock ends by itself, counted from when it is held.
  public var duration: Duration?
  /// How long to wait for somebody else's lock, and for recently seen devices to answer; nil: not
  /// at all.
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

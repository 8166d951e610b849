/// The locks that this process knows of: it tells the app of each once when it comes and once when
/// it ends.
final class LockNews {
  private let device: DeviceIdentity
  private let events: EventHub
  /// The lock that was seen last, and has not ended since.
  private(set) var seen: StoreLock?
  /// The lock that this store has taken and not ended; other processes of this device may have ended it.
  private(set) var taken: StoreLock?

  init(_ device: DeviceIdentity, _ events: EventHub) {
    (self.device, self.events) = (device, events)
  }

  /// Tells of a lock that is there now.
  func came(_ lock: StoreLock) {
    // One that this device asked for is told again with its end and head once it is held.
    if let seen, seen.id == lock.id {
      guard lock.device == device.id, lock.state != seen.state else { return }
    } else if let seen {
      ended(seen)
    }
    seen = lock
    events.send(.locked(lock))
  }

  /// Tells of a lock that has ended.
  func ended(_ lock: StoreLock) {
    if seen?.id == lock.id { seen = nil }
    events.send(.unlocked(lock: lock.id))
  }

  /// Notes that this store has a lock.
  func took(_ lock: StoreLock) { taken = lock }

  /// Tells that this store has given a lock back.
  func gaveBack(_ lock: StoreLock) {
    if taken?.id == lock.id { taken = nil }
    ended(lock)
  }
}

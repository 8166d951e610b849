import OpenWOFiles
import SystemPackage

/// Sessions: while this process has the live file open it holds the session locks, so that the other processes of this machine wait
/// for it.
///
/// A session continues after a read or a write, as the next one may come soon; the background thread ends it.
extension Store {
  /// Takes the session locks, which a process has for itself while it begins or ends a lock.
  func enterSession() throws {
    try awaiting(.session, upTo: FileCoordinator.patience) {
      try coordinator.enter(waitingUpTo: $0)
    }
  }

  /// Ends the session: closes the live file and gives the session locks back, but for reads that still run.
  ///
  /// Commits that wait are captured first, as they can be read as ours only from the file that is open now. If that fails, the next
  /// reconciliation finds them as a change of the file; one that has lost its name stays open.
  func letGo() {
    captureIfFree()
    workingCopy.closeAfterLook()
    burst.close()
    coordinator.leave()
  }

  /// Runs a body in a session that ends with it.
  func inSession<Result>(_ body: () throws -> Result) throws -> Result {
    try lettingGo {
      try coordinator.enter()
      return try body()
    }
  }

  /// Runs a body after which the session ends, if there is one.
  func lettingGo<Result>(_ body: () throws -> Result) rethrows -> Result {
    defer { letGo() }
    return try body()
  }

  /// Ends the session for a lock, after capturing earlier commits.
  ///
  /// A file that is still open was open before the lock, so the holder waits for it.
  func makeWay() throws {
    try lettingGo { if workingCopy.isOpen { try captureUncaptured() } }
  }

  /// Runs a body that only looks at the live file, which is closed afterwards.
  ///
  /// Commits that wait to be captured are captured first, as ``letGo()`` does.
  func looking<Result>(_ body: () throws -> Result) rethrows -> Result {
    captureIfFree()
    return try workingCopy.looking(body)
  }

  /// Captures what waits, unless another process has the writer lock.
  private func captureIfFree() {
    guard workingCopy.hasUncaptured else { return }
    try? coordinator.asWriter(waitingUpTo: .zero) { try captureOwn() }
  }

  /// Runs a body while no other process of this machine has the live file open; it is closed before another one may open it.
  func alone<Result>(_ body: () throws -> Result) throws -> Result {
    letGo()
    try awaitReaders(upTo: FileCoordinator.patience)
    let locks = try awaiting(.alone, upTo: FileCoordinator.patience) {
      try coordinator.takeAlone(waitingUpTo: $0)
    }
    defer {
      workingCopy.close()
      for lock in locks { lock.release() }
    }
    return try body()
  }

  /// Runs a body on a store that is opened for it alone.
  static func using<Result>(
    _ path: FilePath, _ configuration: Configuration, _ body: (Store) throws -> Result
  ) throws -> Result {
    let store = try open(path, configuration, EventHub())
    return try store.lettingGo { try body(store) }
  }
}

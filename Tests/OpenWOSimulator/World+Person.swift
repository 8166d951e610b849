import OpenWO
import OpenWOHistory

/// A person's commands: restore, lock, unlock, force.
extension World {
  func personStep(_ step: Operation.Step, _ operation: Operation, _ device: Device) {
    switch step {
    case .makeRestore(let number): makeRestore(number, operation, device)
    case .restored: operation.push(publishAll(device))
    case .askLock: askLock(operation, device)
    case .startLock: startLock(operation, device)
    case .holdLock: holdLock(operation, device)
    case .checkpoint(let discard): checkpoint(discard, operation, device)
    case .discarded: discardEdit(operation, device)
    case .leaveLock: leaveLock(operation, device)
    default: break
    }
  }

  /// Puts an older version on top of the history, and the live file equal to it.
  private func makeRestore(_ number: Int, _ operation: Operation, _ device: Device) {
    refreshGraph(device)
    let all = device.graph.versions
    guard lockBoard(device).effective == nil, let live = device.folder[Self.live],
      let known = device.known, known.stamp == live.stamp, device.tool == nil, !all.isEmpty
    else { return refuse(operation, device) }
    let wanted = all[number % all.count]
    guard content(wanted) != known.content, holds(content(wanted), device) else {
      return refuse(operation, device)
    }
    hasRestored = true
    operation.seenLock = seesLock(device)
    putBack(content(wanted), operation, device, then: [.restored])
  }

  private func putBack(
    _ content: Int, _ operation: Operation, _ device: Device, then steps: [Operation.Step]
  ) {
    guard let live = device.folder[Self.live], live.stamp == device.known?.stamp else {
      return refuse(operation, device)
    }
    operation.seenLive = live
    // The live file may be the only place of a version's content.
    if !holds(live.value, device), let number = device.known.flatMap({ number($0.version) }) {
      put(newFile(number, on: device), at: path(.full(number)), on: device)
    }
    let draft = Operation.Draft(
      content: content, parents: family(device), reason: .restore,
      base: content)
    guard let version = keep(draft, device) else { return }
    operation.captured = version
    // A swap that fails leaves the version: the next look makes the live file equal to it all the same.
    operation.push([.planDone] + steps)
    operation.push([.perform(.adopt(versions[version].id))])
  }

  private func askLock(_ operation: Operation, _ device: Device) {
    guard lockBoard(device).effective == nil, ownLock(device) == nil else {
      return refuse(operation, device)
    }
    let id = "lock-\(fresh())"
    operation.lock = id
    let until = operation.row % 3 == 0 ? now(device) + 600_000 : nil
    writeLock(
      StoreLock(
        id: id, device: device.id, since: Timestamp(milliseconds: now(device)),
        until: until.map(Timestamp.init)), device)
  }

  /// Alone on this machine: the live file is captured and published, and the edit starts from it.
  private func startLock(_ operation: Operation, _ device: Device) {
    guard let live = device.folder[Self.live], let known = device.known, known.stamp == live.stamp,
      device.tool == nil
    else { return giveUpLock(operation, device) }
    operation.push(publishAll(device))
  }

  private func holdLock(_ operation: Operation, _ device: Device) {
    guard let own = ownLock(device), own.id == operation.lock,
      lockBoard(device).effective?.id == own.id
    else { return giveUpLock(operation, device) }
    var held = own
    held.head = device.known?.version
    held.state = .held
    writeLock(held, device)
    device.ownLock = own.id
    tell(.locked, device, own.head == nil ? 0 : 1)
  }

  private func giveUpLock(_ operation: Operation, _ device: Device) {
    if ownLock(device)?.id == operation.lock { removeOwnLock(device) }
    refuse(operation, device)
  }

  /// The edit becomes a version before anybody else may continue.
  private func checkpoint(_ discard: Bool, _ operation: Operation, _ device: Device) {
    guard let lock = ownLock(device) else {
      device.ownLock = nil
      return refuse(operation, device)
    }
    guard let live = device.folder[Self.live], !live.isPlaceholder, pool[live.value].isWhole,
      device.tool == nil
    else {
      // Damaged or missing: the lock ends, and the next look mends the file.
      return operation.push([.leaveLock])
    }
    if fold(live, device) { return operation.push([.checkpoint(discard: discard)]) }
    refreshGraph(device)
    operation.edited = live
    let start = lock.head.flatMap { device.graph[$0] }
    let isKnown = [start.map(content), device.known?.content].contains(live.value)
    guard !isKnown, fault != .unlocksWithoutCapture else { return operation.push([.leaveLock]) }
    let origins = origins(.underOwnLock(since: start?.id), live, device)
    operation.capturedFile = live
    // An edit counts from the moment it is given back, whenever its rows were written.
    isBlurred = true
    var draft = Operation.Draft(
      content: live.value, parents: origins.parents, reason: origins.reason ?? .edit)
    draft.isTrusted = origins.isTrusted
    operation.push([.capture(draft), .noteCaptured, .perform(.publish)])
    guard discard, let start, lockBoard(device).effective?.id == lock.id,
      holds(content(start), device)
    else { return operation.stack.insert(.leaveLock, at: 0) }
    if lockInFiles(device)?.id != lock.id {
      violate(.locksKept, "\(device.id) discards an edit under somebody else's lock")
    }
    operation.content = content(start)
    operation.stack.insert(contentsOf: [.leaveLock, .discarded], at: 0)
  }

  /// The version from before the lock on top of the discarded edit.
  private func discardEdit(_ operation: Operation, _ device: Device) {
    hasRestored = true
    refreshGraph(device)
    putBack(operation.content, operation, device, then: [])
  }

  private func leaveLock(_ operation: Operation, _ device: Device) {
    refreshGraph(device)
    if let edited = operation.edited, device.graph.latest(content: pool[edited.value].hash) == nil,
      !exists(edited.value, device)
    {
      violate(.capturedFirst, "\(device.id) gives its lock back before the edit is a version")
    }
    removeOwnLock(device)
    tell(.unlocked, device, 0)
    operation.push([.look])
  }

  /// Ends the device's own lock, for others first: a removed file may come back, a word in our own file stays.
  private func removeOwnLock(_ device: Device) {
    guard let lock = ownLock(device) else { return }
    device.ownLock = nil
    givenBack.insert(lock.id)
    if fault != .locksComeBack { revoke(lock.id, device) }
    put(nil, at: path(.lock(device.identity)), on: device)
  }

  /// Ends another device's lock: its file is not touched, the revocation is in our own.
  func force(_ number: Int, _ device: Device) {
    let standing = lockBoard(device).standing.filter { $0.device != device.id }
    guard !standing.isEmpty else { return }
    revoke(standing[number % standing.count].id, device)
  }
}

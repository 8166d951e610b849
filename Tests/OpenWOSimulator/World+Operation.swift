import OpenWO
import OpenWOHistory

/// The model of the performer: one step at a time.
extension World {
  /// More rounds than any folder needs.
  private static var mostRounds: Int { 64 }

  /// Takes the next step of what the device is doing.
  func step(_ device: Device) {
    guard let operation = device.operation else { return }
    guard let step = operation.stack.popLast() else {
      device.operation = nil
      return
    }
    switch step {
    case .look: look(operation, device)
    case .planDone: operation.push([.look])
    case .perform(let action): perform(action, operation, device)
    case .publish(let number): publish(number, device)
    case .dropPending(let number): dropPending(number, device)
    case .announce: announce(device)
    case .keep(let number): keepMerged(number, device)
    case .capture(let draft): operation.captured = keep(draft, device)
    case .noteCaptured: noteCaptured(operation, device)
    case .fillStaging, .check, .exchange, .inspect, .noteReplaced, .examineRemoved:
      replaceStep(step, operation, device)
    case .begin, .commit, .lookAfterCommit, .captureWrite, .tell:
      writeStep(step, operation, device)
    case .makeRestore, .restored, .askLock, .startLock, .holdLock, .checkpoint, .discarded,
      .leaveLock:
      personStep(step, operation, device)
    }
    if operation.stack.isEmpty { device.operation = nil }
  }

  /// Ends what the device is doing without success.
  func refuse(_ operation: Operation, _ device: Device) {
    tell(.refused, device, operation.row)
    operation.stack = []
    operation.isTransacting = false
    operation.isCommitting = false
    device.isExclusive = false
  }

  private func look(_ operation: Operation, _ device: Device) {
    operation.rounds += 1
    if operation.rounds == 1 { repeatOwnWords(device) }
    let seen = sight(device)
    operation.seenLive = device.folder[Self.live]
    operation.seenCopies = [:]
    for path in databasePaths where path != Self.live {
      operation.seenCopies[path] = device.folder[path]
    }
    operation.seenLock = seesLock(device)
    let reconciler = Reconciler(policy: policy)
    let plan = fault?.changed(reconciler.plan(seen), seen, self) ?? reconciler.plan(seen)
    judge(plan, seen, device)
    tell(.planned, device, plan.count, operation.rounds)
    explain(device, "sees \(words(seen)); plans \(plan.map(words))")
    let due = plan.filter { $0.dueAt == nil }
    guard !due.isEmpty else { return }
    guard operation.rounds < Self.mostRounds else {
      violate(.progress, "\(device.id) plans without end: \(plan)")
      return
    }
    operation.push(due.map(Operation.Step.perform) + [.planDone])
  }

  private func perform(_ action: Action, _ operation: Operation, _ device: Device) {
    judge(action, operation, device)
    switch action {
    case .publish: operation.push(publishAll(device))
    case .acknowledge(let lock): acknowledge(lock, device)
    case .fold: fold(operation, device)
    case .wait, .putBack: break
    case .captureLive(let reason): captureLive(reason, operation, device)
    case .captureCopy(let file): captureCopy(file, operation, device)
    case .captureAside(let file):
      captureCopy(file, operation, device, isPersonal: true)
    case .store(let id, let file): store(id, file, operation, device)
    case .note(let id): note(id, operation, device)
    case .settle(let heads, let winner, _): settle(heads, winner, operation, device)
    case .join(let heads): merge(heads, operation, device)
    case .keepStore, .removeStray: break
    case .merge(let heads): merge(heads, operation, device)
    case .adopt(let id): replace(with: id, isDamaged: false, operation, device)
    case .repair(let id, _): replace(with: id, isDamaged: true, operation, device)
    case .remove(let file): remove(file, operation, device)
    case .setAside(let file): setAside(file, operation, device)
    }
  }
}

/// Steps that end in the companion or the state folder.
extension World {
  /// Every captured version into the companion, parents first, each durable there before it leaves the state folder.
  func publishAll(_ device: Device) -> [Operation.Step] {
    guard !device.pending.isEmpty else { return [] }
    refreshGraph(device)
    let order = device.graph.newestFirst.reversed().compactMap { number($0.id) }
    let waiting = order.filter(device.pending.contains)
    let steps: [[Operation.Step]] = waiting.map { number in
      fault == .dropsBeforePublishing
        ? [.dropPending(number), .publish(number)] : [.publish(number), .dropPending(number)]
    }
    return steps.flatMap(\.self) + [.announce]
  }

  private func dropPending(_ number: Int, _ device: Device) {
    device.pending.removeAll { $0 == number }
    device.isGraphStale = true
  }

  private func announce(_ device: Device) {
    let current = device.known?.version
    updateOwnRecord(device) { $0.head = current }
  }

  private func acknowledge(_ lock: String, _ device: Device) {
    if fault == .neverAcknowledges { return }
    let current = device.known?.version
    updateOwnRecord(device) { own in
      if !own.acknowledged.contains(lock) { own.acknowledged.append(lock) }
      own.head = current
    }
  }

  /// The record of the live file is made from the file that was read, not from what has the name by now.
  func noteCaptured(_ operation: Operation, _ device: Device) {
    guard let number = operation.captured, let file = operation.capturedFile else { return }
    remember(versions[number].id, file, device)
    // One in WAL mode stays as it is under a lock, so it is looked at again.
    if content(versions[number]) != file.value { device.known?.stamp = -1 }
  }

  func remember(_ id: VersionID, _ file: File, _ device: Device) {
    guard let version = number(id).map({ versions[$0] }) else { return }
    device.known = Device.Known(
      version: id, content: content(version), stamp: file.stamp, inode: file.inode)
    tell(.noted, device, content(version), file.stamp)
    explain(device, "notes \(words(id))")
  }

  private func captureCopy(
    _ name: FileName, _ operation: Operation, _ device: Device, isPersonal: Bool = false
  ) {
    guard let path = path(named: name), let file = device.folder[path],
      file.stamp == operation.seenCopies[path]?.stamp, !file.isPlaceholder
    else { return operation.abandonPlan() }
    let isJudged = fault != .archivesStagingUnjudged
    let parents = origins(.conflictCopy, file, device).parents
    let draft = Operation.Draft(
      content: file.value, parents: isJudged ? parents : family(device),
      reason: .external, modified: file.modified, isFromPersonalCopy: isPersonal,
      isAside: isPersonal && fault != .takesCopiesForStates)
    operation.push([.capture(draft)])
  }

  /// Writes a known version in full, from the only file that still has its content.
  private func store(
    _ id: VersionID, _ name: FileName?, _ operation: Operation, _ device: Device
  ) {
    let path = name.map(path(named:)) ?? Self.live
    guard let path, let file = device.folder[path], let number = number(id),
      file.stamp == (name == nil ? operation.seenLive : operation.seenCopies[path])?.stamp,
      file.value == content(versions[number]), !file.isPlaceholder
    else { return operation.abandonPlan() }
    put(newFile(number, on: device), at: self.path(.full(number)), on: device)
    explain(device, "stores \(words(id)) in full")
  }

  /// Turns the live file back into a single file, with the rows of its log.
  private func fold(_ operation: Operation, _ device: Device) {
    guard let file = device.folder[Self.live], file.stamp == operation.seenLive?.stamp,
      device.tool == nil, !file.isPlaceholder
    else { return operation.abandonPlan() }
    fold(file, device)
  }

  /// Whether it was in WAL mode.
  @discardableResult
  func fold(_ file: File, _ device: Device) -> Bool {
    guard pool[file.value].isLogged else { return false }
    let beside = device.log.flatMap { $0.inode == file.inode ? $0.rows : nil }
    let content = pool.fold(file.value, fault == .dropsTheLog ? nil : beside)
    if let beside, !beside.isSubset(of: pool[content].rows) {
      violate(.nothingLost, "\(device.id) drops rows from beside the database")
    }
    let modified = foldedTime(file, device)
    device.log = nil
    redated.insert(content)
    overwrite(content, at: Self.live, on: device, modified: modified)
    device.folded = device.folder[Self.live].map { (after: $0.stamp, before: file) }
    explain(device, "folds c\(file.value) to c\(content)")
    return true
  }

  /// The time of a file in WAL mode once the rows beside it are brought in.
  func foldedTime(_ file: File, _ device: Device) -> Int64 {
    let hasRows = device.log?.inode == file.inode
    let time = hasRows ? max(now(device), file.modified + 6000) : file.modified + 3000
    aheadUntil = max(aheadUntil, time)
    return time
  }

  private func note(_ id: VersionID, _ operation: Operation, _ device: Device) {
    guard let file = device.folder[Self.live], file.stamp == operation.seenLive?.stamp else {
      return operation.abandonPlan()
    }
    remember(id, file, device)
    operation.push([.announce])
  }

  private func settle(
    _ heads: [VersionID], _ winner: VersionID, _ operation: Operation, _ device: Device
  ) {
    guard arrivedHeads(device).flatMap({ $0.members.map(\.id) }).sorted() == heads.sorted() else {
      return operation.abandonPlan()
    }
    let parents = heads.compactMap { device.graph[$0] }
    let candidates = parents.filter { $0.id == winner }
    guard let right = try? Version.settle(parents: parents, candidates: candidates) else {
      return violate(.progress, "cannot settle \(heads)")
    }
    let settled = fault?.settled(right, parents, device, self) ?? right
    let number = number(settled, base: content(settled))
    tell(.settled, device, number, content(settled))
    explain(device, "settles \(words(settled)) as v\(number)")
    judgeSettled(settled, device)
    operation.push(publishAll(device) + [.publish(number)])
  }

  /// The heads that count, without those whose content has not arrived.
  private func arrivedHeads(_ device: Device) -> [VersionGraph.EffectiveHead] {
    refreshGraph(device)
    return device.graph.effectiveHeads { id in
      device.graph[id].map { !holds(content($0), device) } ?? true
    }
  }

  /// A merge holds the rows of both, the same on every device; some are refused, and then the last writer wins.
  private func merge(_ heads: [VersionID], _ operation: Operation, _ device: Device) {
    let pair = arrivedHeads(device).filter { head in
      head.members.allSatisfy { heads.contains($0.id) }
    }.map(\.version)
    guard pair.count == 2 else { return operation.abandonPlan() }
    let (first, second) = pair[0].loses(to: pair[1]) ? (pair[1], pair[0]) : (pair[0], pair[1])
    guard let number = merged(first, second, heads.compactMap { device.graph[$0] }, device) else {
      let rivals = arrivedHeads(device)
      guard let winner = device.graph.winner(among: rivals.map(\.version)) else { return }
      let all = rivals.flatMap { $0.members.map(\.id) }.sorted()
      return settle(all, winner.id, operation, device)
    }
    operation.push(publishAll(device) + [.keep(number)])
  }

  private func merged(
    _ first: Version, _ second: Version, _ parents: [Version], _ device: Device
  ) -> Int? {
    let (ours, theirs) = (content(first), content(second))
    // A merge of one pair in eight is refused on every device, as for tables without keys or
    // conflicting schemas.
    guard (ours * 31 + theirs) % 8 != 0 else { return nil }
    let key = [ours, theirs]
    let content =
      mergedContents[key] ?? pool.add(pool[ours].rows.union(pool[theirs].rows), from: key)
    mergedContents[key] = content
    let facts = ContentFacts(
      hash: pool[content].hash, bytes: 4096, pageSize: 4096, userVersion: 0, applicationID: 0)
    guard let version = try? Version.merge(parents: parents, facts: facts) else { return nil }
    explain(device, "merges \(words(version))")
    return number(version, base: ours)
  }

  private func keepMerged(_ number: Int, _ device: Device) {
    device.pending.append(number)
    device.isGraphStale = true
    tell(.captured, device, number, content(versions[number]))
  }
}

import OpenWO
import OpenWOHistory

/// The app's write: begin, commit, look again, capture, and only then success.
extension World {
  func writeStep(_ step: Operation.Step, _ operation: Operation, _ device: Device) {
    switch step {
    case .begin: begin(operation, device)
    case .commit: commit(operation, device)
    case .lookAfterCommit: lookAfterCommit(operation, device)
    case .captureWrite: captureWrite(operation, device)
    case .tell: tellSuccess(operation, device)
    default: break
    }
  }

  private func begin(_ operation: Operation, _ device: Device) {
    operation.seenLock = seesLock(device)
    let isLocked = lockBoard(device).effective != nil && fault != .writesUnderLock
    guard !isLocked, device.tool == nil, let live = device.folder[Self.live], !live.isPlaceholder,
      let known = device.known, known.stamp == live.stamp || fault == .trustsTheName,
      rowCount < Rows.limit
    else { return refuse(operation, device) }
    // A version in WAL mode, out of a copy, is made a single file before anything is written to it.
    if fold(live, device) { return operation.push([.look]) }
    operation.inode = live.inode
    operation.content = known.content
    operation.row = rowCount
    if time <= aheadUntil { isBlurred = true }
    rowCount += 1
    operation.isTransacting = true
    operation.isCommitting = true
    operation.push([.commit, .lookAfterCommit])
  }

  /// The commit goes into the file that was opened, whether or not it still has the name.
  private func commit(_ operation: Operation, _ device: Device) {
    if operation.isLockSeen { violate(.locksKept, "\(device.id) commits under a lock that it saw") }
    var rows = pool[operation.content].rows
    rows.insert(operation.row)
    operation.content = pool.add(rows, from: [operation.content])
    tell(.committed, device, operation.row, operation.content)
    explain(device, "commits row \(operation.row): c\(operation.content)")
    let place =
      device.folder[Self.live]?.inode == operation.inode
      ? Self.live : path(ofInode: operation.inode, on: device)
    if let place { overwrite(operation.content, at: place, on: device) }
    operation.isTransacting = false
    operation.committed = time
  }

  /// Success is told only for a commit that is in the file that has the name; any other is brought to safety first.
  private func lookAfterCommit(_ operation: Operation, _ device: Device) {
    operation.captured = nil
    if device.folder[Self.live]?.inode == operation.inode || fault == .trustsCommit {
      operation.push([.captureWrite])
    } else {
      operation.isSetAside = true
      operation.isCommitting = false
      refreshGraph(device)
      let draft = Operation.Draft(
        content: operation.content, parents: family(device),
        reason: .write, committed: operation.committed)
      operation.push([.capture(draft), .tell, .look])
    }
  }

  private func captureWrite(_ operation: Operation, _ device: Device) {
    refreshGraph(device)
    // The open file is read, which another program may have written to meanwhile, whatever has the name now.
    let place = path(ofInode: operation.inode, on: device)
    let file = place.flatMap { device.folder[$0] }
    let isWhole = file.map { pool[$0.value].isWhole } ?? false
    let content = isWhole ? file?.value ?? operation.content : operation.content
    operation.capturedFile = isWhole ? file : nil
    if fault == .trustsCommit { operation.capturedFile = device.folder[Self.live] }
    var draft = Operation.Draft(
      content: content, parents: family(device), reason: .write,
      modified: content == operation.content ? nil : file?.modified,
      committed: operation.committed,
      base: operation.row % 3 == 0 ? nil : device.known?.content)
    if fault == .forgetsParents { draft.parents = [] }
    if let folded = foldable(device) {
      draft.parents = device.graph[versions[folded].id]?.parents ?? []
      draft.base = nil
      draft.folded = folded
    }
    var steps: [Operation.Step] = [.capture(draft), .noteCaptured]
    operation.isCommitting = false
    if let folded = draft.folded { steps.append(.dropPending(folded)) }
    if fault == .acknowledgesBeforeCapture {
      operation.push([.tell] + steps)
    } else {
      operation.push(steps + [.tell])
    }
  }

  /// Our own last write, as long as nobody else has it.
  private func foldable(_ device: Device) -> Int? {
    guard let current = device.known?.version, let number = number(current) else { return nil }
    let version = versions[number]
    let isOurs =
      version.reason == .write && version.device == device.id && device.pending.contains(number)
      && device.graph.children(of: current).isEmpty
    let isKept = fault == .foldsPublished && version.reason == .write
    return isOurs || isKept ? number : nil
  }

  private func tellSuccess(_ operation: Operation, _ device: Device) {
    device.acknowledged.insert(operation.row)
    tell(.acknowledged, device, operation.row, operation.isSetAside ? 1 : 0)
    explain(device, "acknowledges row \(operation.row)")
    if scenario.publishesAtOnce { operation.push(publishAll(device)) }
  }
}

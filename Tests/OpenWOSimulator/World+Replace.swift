import OpenWO
import OpenWOHistory

/// Swapping the live file for a version's content, and removing copies.
extension World {
  /// Begins to make the live file equal to a version.
  func replace(with id: VersionID, isDamaged: Bool, _ operation: Operation, _ device: Device) {
    // A service may have taken the content away since the plan was made.
    guard let version = number(id).map({ versions[$0] }), holds(content(version), device) else {
      return operation.abandonPlan()
    }
    operation.target = id
    operation.isDamaged = isDamaged
    operation.expected = operation.seenLive
    operation.staging = path(.staging(fresh()))
    let half = pool.add(Rows(), isWhole: false)
    put(newFile(half, on: device), at: operation.staging, on: device)
    operation.push([.fillStaging, .check, .exchange, .inspect, .noteReplaced, .announce])
  }

  func replaceStep(_ step: Operation.Step, _ operation: Operation, _ device: Device) {
    switch step {
    case .fillStaging: fillStaging(operation, device)
    case .check: check(operation, device)
    case .exchange: exchange(operation, device)
    case .inspect: inspect(operation, device)
    case .noteReplaced: noteReplaced(operation, device)
    case .examineRemoved: examineRemoved(operation, device)
    default: break
    }
  }

  private func fillStaging(_ operation: Operation, _ device: Device) {
    guard let id = operation.target, let version = number(id).map({ versions[$0] }) else { return }
    overwrite(content(version), at: operation.staging, on: device)
    operation.placed = device.folder[operation.staging]
  }

  /// With SQLite's exclusive lock on the outgoing file it must be the file that was looked at.
  private func check(_ operation: Operation, _ device: Device) {
    let live = device.folder[Self.live]
    guard live?.stamp == operation.expected?.stamp, device.tool == nil,
      live?.isPlaceholder != true
    else { return giveUpSwap(operation, device) }
    device.isExclusive = true
  }

  /// Removes our staging file; the seen state is no longer there.
  private func giveUpSwap(_ operation: Operation, _ device: Device) {
    put(nil, at: operation.staging, on: device)
    device.isExclusive = false
    operation.abandonPlan()
  }

  private func exchange(_ operation: Operation, _ device: Device) {
    let live = device.folder[Self.live]
    // A name that came or went since takes another system call, which then fails.
    guard (live == nil) == (operation.expected == nil), var new = device.folder[operation.staging]
    else { return giveUpSwap(operation, device) }
    if !pool[new.value].isWhole { violate(.wholeFiles, "\(device.id) made a torn file live") }
    new.changed = now(device)
    put(new, at: Self.live, on: device)
    redated.insert(new.value)
    operation.placed = new
    tell(.swapped, device, live?.value ?? -1, new.value)
    explain(device, "swaps c\(live?.value ?? -1) for c\(new.value)")
    if fault == .renamesOver {
      if let live { judgeLoss(of: live, device, "renamed over") }
      put(nil, at: operation.staging, on: device)
    } else {
      var old = live
      old?.changed = now(device)
      put(old, at: operation.staging, on: device)
    }
  }

  /// Removes the outgoing file of the swap if it is the captured one; any other stays for the next
  /// look.
  private func inspect(_ operation: Operation, _ device: Device) {
    device.isExclusive = false
    guard let old = device.folder[operation.staging] else { return }
    if operation.isDamaged && fault != .repairsWithoutEvidence { device.aside.insert(old.value) }
    guard old.stamp == operation.expected?.stamp || fault == .dropsWhatCameOut else { return }
    judgeLoss(of: old, device, "swapped out")
    put(nil, at: operation.staging, on: device)
  }

  private func noteReplaced(_ operation: Operation, _ device: Device) {
    guard let id = operation.target, let placed = operation.placed else { return }
    let file = fault == .notesWhatStands ? device.folder[Self.live] ?? placed : placed
    remember(id, file, device)
  }

  /// Takes a copy's name away first: what is behind it by then is looked at before it goes.
  func remove(_ name: FileName, _ operation: Operation, _ device: Device) {
    guard let path = path(named: name), let file = device.folder[path],
      file.stamp == operation.seenCopies[path]?.stamp
    else { return operation.abandonPlan() }
    operation.staging = self.path(.staging(fresh()))
    rename(path, to: operation.staging, on: device)
    operation.expected = file
    operation.push([.examineRemoved])
  }

  /// Keeps a torn file of ours as evidence.
  func setAside(_ name: FileName, _ operation: Operation, _ device: Device) {
    guard let path = path(named: name), let file = device.folder[path],
      file.stamp == operation.seenCopies[path]?.stamp
    else { return operation.abandonPlan() }
    device.aside.insert(file.value)
    judgeLoss(of: file, device, "set aside")
    tell(.setAside, device, path, file.value)
    put(nil, at: path, on: device)
  }

  private func examineRemoved(_ operation: Operation, _ device: Device) {
    guard let file = device.folder[operation.staging] else { return }
    guard file.stamp == operation.expected?.stamp else { return }
    judgeLoss(of: file, device, "removed")
    tell(.removed, device, operation.staging, file.value)
    put(nil, at: operation.staging, on: device)
  }
}

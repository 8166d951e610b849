import OpenWO
import OpenWOHistory

/// Capturing a live file that was found.
extension World {
  func captureLive(_ reason: VersionReason, _ operation: Operation, _ device: Device) {
    guard let file = device.folder[Self.live], file.stamp == operation.seenLive?.stamp,
      !file.isPlaceholder, device.tool == nil
    else { return operation.abandonPlan() }
    operation.capturedFile = file
    // A service that writes in place looks like a person's restore if no other device is known.
    let isRestored = reason == .restore
    if isRestored && scenario.service.delivery == .inPlace { hasRestored = true }
    let content = operation.isLockSeen ? contentWithLog(file, device) : file.value
    let isLogged = content != file.value
    let modified = isLogged ? foldedTime(file, device) : file.modified
    if isLogged { redated.insert(content) }
    var draft = Operation.Draft(
      content: content, parents: family(device), reason: reason, modified: modified)
    if !isRestored { (draft.parents, draft.isTrusted) = parentsOfFound(file, device) }
    if fault == .forgetsParents { draft.parents = [] }
    operation.push([.capture(draft), .noteCaptured, .announce])
  }

  /// The parents of a found live file by its rows, and whether they count only because no other
  /// device is known.
  private func parentsOfFound(_ file: File, _ device: Device) -> ([VersionID], isTrusted: Bool) {
    let known = device.known
    if known?.stamp == file.stamp { return (family(device), false) }
    let isWritten = known?.inode == file.inode && file.modified == file.changed
    let stood = isWritten ? known.flatMap { device.graph[$0.version] } : nil
    let base = base(file, device)
    if let stood {
      let family = device.graph.family(of: stood.id)
      let content = content(stood)
      let isTwin = base.flatMap { device.graph[$0] }.map { self.content($0) == content } ?? false
      if let base, isTwin && family.contains(base) { return (family, false) }
      let mayFollow = holds(content, device) && pool.isPast(file.value, content)
      if mayFollow && isAlone(device) { return (family, true) }
    }
    let made = [stood, base.flatMap { device.graph[$0] }].compactMap(\.self).first { version in
      holds(content(version), device)
        && pool[content(version)].rows.isSubset(of: pool[file.value].rows)
    }
    return (made.map { device.graph.family(of: $0.id) } ?? [], false)
  }
}

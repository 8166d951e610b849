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
    let origins = origins(isRestored ? .putBack : .live, file, device)
    (draft.parents, draft.isTrusted) = (origins.parents, origins.isTrusted)
    if fault == .forgetsParents { draft.parents = [] }
    operation.push([.capture(draft), .noteCaptured, .announce])
  }
}

import OpenWOHistory

/// Actions in the words of a report.
extension Action {
  var step: ReconcileReport.Step {
    switch self {
    case .publish: ReconcileReport.Step(kind: "publish")
    case .acknowledge(let lock): ReconcileReport.Step(kind: "acknowledge", reason: lock)
    case .fold: ReconcileReport.Step(kind: "fold")
    case .captureLive: ReconcileReport.Step(kind: "capture")
    case .captureCopy(let file): ReconcileReport.Step(kind: "capture", path: file.description)
    case .captureAside(let file):
      ReconcileReport.Step(
        kind: "capture", path: file.description, reason: "people choose such names, too")
    case .store(let id, let file):
      ReconcileReport.Step(kind: "store", version: id, path: file?.description)
    case .note(let id): ReconcileReport.Step(kind: "note", version: id)
    case .settle(_, _, let reason): ReconcileReport.Step(kind: "settle", reason: reason)
    case .merge: ReconcileReport.Step(kind: "merge")
    case .join: ReconcileReport.Step(kind: "join")
    case .keepStore(let manifest):
      ReconcileReport.Step(kind: "keepStore", reason: manifest.store)
    case .removeStray(let file, _):
      ReconcileReport.Step(kind: "remove", path: file.description)
    case .adopt(let id): ReconcileReport.Step(kind: "adopt", version: id)
    case .repair(let id, let reason):
      ReconcileReport.Step(kind: "repair", version: id, reason: reason)
    case .setAside(let file): ReconcileReport.Step(kind: "setAside", path: file.description)
    case .remove(let file): ReconcileReport.Step(kind: "remove", path: file.description)
    case .putBack(let ids): ReconcileReport.Step(kind: "putBack", version: ids.last)
    case .wait(let until, let reason):
      ReconcileReport.Step(kind: "wait", reason: reason, until: until)
    }
  }
}

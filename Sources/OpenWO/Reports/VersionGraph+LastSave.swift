import OpenWOHistory

extension VersionGraph {
  /// When a device last saved: a time to come counts only if nothing was saved since the clock was set right.
  func lastSave(of device: String, now: Timestamp) -> Timestamp? {
    let own = versions.filter { $0.device == device }
    guard let last = own.max(by: { $0.madeAt < $1.madeAt }), last.madeAt > now else {
      return own.map(\.madeAt).max()
    }
    let since = own.filter { $0.madeAt <= now && isAncestor(last.id, of: $0.id) }
    return since.map(\.madeAt).max() ?? last.madeAt
  }
}

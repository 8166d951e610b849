import OpenWOHistory

/// The live file.
extension Planning {
  /// The steps for the live file, before the heads.
  var live: Live {
    switch seen.live {
    case .unreadable, .changing:
      Live(mayGoOn: false)
    case .writeAheadLog(let changedAt):
      logged(changedAt)
    case .missing(let since):
      damage(
        since: since, time: policy.missingTime + (isOwnHead ? 0 : policy.othersTime),
        reason: "the database is missing")
    case .doubtful(let why, let changedAt):
      damage(since: changedAt, time: policy.settleTime, reason: why)
    case .whole(let content, let changedAt):
      whole(content, changedAt)
    }
  }

  /// A database in WAL mode is made one file on the device that wrote it, as only that device has
  /// its log.
  private func logged(_ changedAt: Timestamp) -> Live {
    guard !seen.isAlone, !seen.isSameFile, let due = due(changedAt, policy.graceTime) else {
      return Live(actions: [.fold], mayGoOn: false)
    }
    let wait = Action.wait(until: due, reason: "another device may still make it one file")
    return Live(actions: [wait], mayGoOn: false)
  }

  /// The steps for what a program wrote here while another device has the lock: it becomes a
  /// version, and nothing else is touched.
  ///
  /// Nothing else is planned before the lock ends.
  var writtenUnderLock: [Action] {
    guard case .whole(let content, let changedAt) = seen.live, !seen.isUntouched,
      !seen.graph.contains(content: content)
    else { return [] }
    if let due = settled(changedAt) {
      return [.wait(until: due, reason: "the database may still change")]
    }
    return [.captureLive(.external)]
  }

  private func damage(since: Timestamp, time: Int64, reason: String) -> Live {
    if let due = due(since, time) {
      return Live(actions: [.wait(until: due, reason: reason)], mayGoOn: false)
    }
    return Live(damage: reason)
  }

  private func whole(_ content: ContentHash, _ changedAt: Timestamp) -> Live {
    if let current = seen.current, seen.graph[current]?.content == content {
      return Live(content: content, version: current)
    }
    if let known = knownVersion(content) {
      return Live(actions: [.note(known)], content: content, version: known)
    }
    if !seen.isAlone, let due = settled(changedAt) {
      let wait = Action.wait(until: due, reason: "the database may still change")
      return Live(actions: [wait], mayGoOn: false)
    }
    let isKnown = seen.graph.latest(content: content).map { !seen.graph.isAside($0) } ?? false
    return Live(actions: [.captureLive(isKnown ? .restore : .external)], mayGoOn: false)
  }

  /// Until when a whole file with unknown content may still change; nil if it is judged now.
  ///
  /// A service that writes in place is done when the file has been still for a while. A program
  /// commits as often as it likes, so a file that it writes is not waited for endlessly.
  private func settled(_ changedAt: Timestamp) -> Timestamp? {
    guard let due = due(changedAt, policy.settleTime) else { return nil }
    guard seen.isWritten, seen.lock == nil else { return due }
    if policy.isCommitted { return nil }
    guard let since = seen.unknownSince else { return due }
    return self.due(since, policy.unknownTime).map { min($0, due) }
  }

  /// The version of a whole live file with known content; nil if it is somebody's edit.
  ///
  /// An old content that came back is a late delivery. Only where no other device is known, and the file itself was written into, it is
  /// a restore by hand. What was only ever found in a copy has become somebody's state now.
  private func knownVersion(_ content: ContentHash) -> VersionID? {
    if let head = heads.first(where: { $0.version.content == content }) { return head.version.id }
    if seen.isAlone && seen.isSameFile { return nil }
    guard let known = seen.graph.latest(content: content), !seen.graph.isAside(known) else {
      return nil
    }
    return known.id
  }
}

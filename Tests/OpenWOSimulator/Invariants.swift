import OpenWO
import OpenWOHistory

/// The invariants, checked where they can break and after every move.
extension World {
  /// Checks a device after a move that touched it.
  func check(_ device: Device) {
    guard violation == nil else { return }
    let lost = device.acknowledged.subtracting(heldRows(device))
    if !lost.isEmpty {
      violate(
        .nothingLost, "rows \(lost.list), acknowledged by \(device.id), are in no version there")
    }
    if let known = device.known, let live = device.folder[Self.live], known.stamp == live.stamp,
      known.content != live.value, !live.isPlaceholder
    {
      violate(.wholeFiles, "\(device.id) takes content \(live.value) for \(known.content)")
    }
  }

  /// The rows in the live file and in all visible versions, downloaded or not.
  func heldRows(_ device: Device) -> Rows {
    refreshGraph(device)
    let live = device.folder[Self.live].map { pool[$0.value].rows } ?? Rows()
    return device.historyRows.union(live)
  }

  /// A plan waits for nothing that is far away, opens nothing under a lock, and writes no version that is not there.
  func judge(_ plan: [Action], _ seen: Sighting, _ device: Device) {
    let usual = Policy()
    let longest = max(
      usual.graceTime, usual.settleTime, usual.missingTime, usual.ancestryTime)
    for case .wait(let until, let reason) in plan
    where until.milliseconds > seen.now.milliseconds + longest {
      violate(
        .progress, "\(device.id) waits \(until.milliseconds - seen.now.milliseconds) ms: \(reason)")
    }
    for action in plan {
      guard let id = action.written, let version = number(id).map({ versions[$0] }) else {
        continue
      }
      if !holds(content(version), device) {
        violate(.wholeFiles, "\(device.id) plans to write a version whose content is not there")
      }
      judgeState(content(version), device)
    }
    guard lockInFiles(device) != nil else { return }
    for action in plan {
      switch action {
      case .publish, .acknowledge, .wait: break
      case .captureLive where mayCaptureUnderLock(device): break
      default: violate(.locksKept, "\(device.id) plans \(action) under a lock that it sees")
      }
    }
  }

  /// Whether a content was only ever found in copies that may be a person's own.
  func isOnlyCopied(_ content: Int) -> Bool {
    scenario.hasPersonalNames && copied.contains(content) && !written.contains(content)
  }

  /// What was only ever found in copies that may be a person's own goes live by nobody's decision but a person's.
  private func judgeState(_ content: Int, _ device: Device) {
    guard isOnlyCopied(content) else { return }
    violate(.sameAnswer, "\(device.id) takes content \(content) of a person's copy for a state")
  }

  func judge(_ action: Action, _ operation: Operation, _ device: Device) {
    guard operation.isLockSeen else { return }
    switch action {
    case .publish, .acknowledge, .wait: break
    // The plan is given up if the file is not the one that was seen, and was made for the lock that was seen.
    case .captureLive where device.folder[Self.live]?.stamp != operation.seenLive?.stamp: break
    case .captureLive where lockInFiles(device)?.id != operation.seenLock: break
    case .captureLive where mayCaptureUnderLock(device): break
    default: violate(.locksKept, "\(device.id) does \(action) under a lock that it saw")
    }
  }

  /// Whether the live file is a program's commit that was made here under another device's lock.
  private func mayCaptureUnderLock(_ device: Device) -> Bool {
    guard let lock = lockInFiles(device) else { return true }
    guard lock.device != device.id, let file = device.folder[Self.live],
      isWrittenInPlace(file, device)
    else { return false }
    applied.insert(.capturedUnderLock)
    return true
  }

  /// A new version is whole, stamped later than what it follows from, and really follows from it.
  func judge(_ version: Version, _ draft: Operation.Draft, _ device: Device) {
    let content = pool[draft.content]
    if !content.isWhole { violate(.wholeFiles, "\(device.id) captured a torn file") }
    let lead = now(device) + HybridTime.trustedLead
    if version.at.milliseconds > lead + 1 {
      violate(.sameAnswer, "\(device.id) stamps a version \(version.at) at \(now(device))")
    }
    if draft.reason == .write && draft.parents.isEmpty {
      violate(.sameAnswer, "a write of \(device.id) names nothing that it was made from")
    }
    if let folded = draft.folded, publishedPath[folded] != nil {
      violate(.sameAnswer, "a write of \(device.id) takes the place of a version that others have")
    }
    // A write goes by the clock as it was when it was committed.
    let trusted = lead - (time - (draft.committed ?? time))
    for parent in draft.parents.compactMap({ device.graph[$0] }) {
      if parent.at >= version.at && parent.at.milliseconds <= trusted {
        violate(.sameAnswer, "a version of \(device.id) is not later than its parent")
      }
      let isEdit =
        version.reason == .write
        || version.reason == .external
          && (scenario.service.delivery != .inPlace || scenario.pagesTell && !draft.isTrusted)
      guard isEdit && !hasRestored else { continue }
      applied.insert(.followsParents)
      if !pool[self.content(parent)].rows.isSubset(of: content.rows)
        && !isLeftBehind(parent, draft, device)
      {
        violate(
          .sameAnswer,
          "\(device.id) says that content \(draft.content) was made from \(self.content(parent))")
      }
    }
  }

  /// Whether a parent's content is in another parent's past, so that naming it adds nothing.
  private func isLeftBehind(
    _ parent: Version, _ draft: Operation.Draft, _ device: Device
  ) -> Bool {
    draft.parents.contains { other in
      let past = device.graph.ancestors(of: other)
      return device.graph.versions.contains { past.contains($0.id) && $0.content == parent.content }
    }
  }

  /// A content that openwo removes is in a version that is here, or in quarantine.
  func judgeLoss(of file: File, _ device: Device, _ how: String) {
    guard pool[file.value].isWhole else {
      if !device.aside.contains(file.value) {
        violate(.capturedFirst, "\(device.id): a torn file was \(how) without evidence")
      }
      return
    }
    refreshGraph(device)
    if !exists(file.value, device) {
      violate(
        .capturedFirst, "\(device.id): content \(file.value) was \(how) before it was a version")
    }
  }

  /// Settling follows from its parents and their past alone, decides between rivals only, and the later one wins.
  func judgeSettled(_ settled: Version, _ device: Device) {
    if settled.parents.allSatisfy({ device.graph.missingAncestors(of: $0).isEmpty }) {
      let before = settlements.updateValue(settled.id, forKey: settled.parents)
      if before ?? settled.id != settled.id {
        violate(.sameAnswer, "the same heads were settled in two ways")
      }
    }
    let parents = settled.parents.compactMap { number($0).map { versions[$0] } }
    let older = ancestors(of: settled.parents)
    let winners = parents.filter { $0.content == settled.content }
    if winners.allSatisfy({ older.contains($0.id) }), device.graph.missingParents.isEmpty {
      violate(.sameAnswer, "content \(content(settled)) wins over its own descendant")
    }
    let winning = winners.map(\.at).max()
    let same = winners + older.compactMap(number).map { versions[$0] }
    let hasNewTime = same.contains { $0.content == settled.content && isRedated($0) }
    let pasts = parents.map { contents(of: ancestors(of: [$0.id])) }
    for (loser, past) in zip(parents, pasts) where loser.content != settled.content {
      // A content that another head has left behind is not a rival, whatever its stamp, unless
      // somebody went back to it. That head is judged itself.
      let isWanted = loser.reason == .restore || goesBack(loser)
      let isLeftBehind = zip(parents, pasts).contains { other, theirs in
        theirs.contains(content(loser)) && !past.contains(content(other))
      }
      if isLeftBehind && !isWanted { continue }
      if !isBlurred { applied.insert(.laterWins) }
      let first = parents.filter { $0.content == loser.content }.map(\.at).min() ?? loser.at
      if winning.map({ $0 < first }) ?? true, !isBlurred {
        violate(.sameAnswer, "the earlier content \(content(settled)) wins over \(content(loser))")
      }
      // A content of unknown origin goes by its time alone, and one that openwo put back has a new
      // time.
      let isRootless = loser.parents.isEmpty
      let wasMadeFromIt = pool.wasMade(content(loser), from: content(settled))
      guard !hasRestored && !isRootless && !hasNewTime && timesTell else { continue }
      applied.insert(.descendantWins)
      if wasMadeFromIt {
        violate(
          .sameAnswer, "content \(content(settled)) wins over \(content(loser)), made from it")
      }
    }
  }

  /// Whether what nobody stamped carries the true time of its making, and shows what it was made from.
  var timesTell: Bool {
    scenario.pagesTell && !isBlurred && scenario.service.time == .kept
  }

  /// Whether a version may carry the time at which openwo put its content back, as its file does.
  func isRedated(_ version: Version) -> Bool {
    version.reason == .external && redated.contains(content(version))
  }

  /// Whether a version has a content that another one followed in its past.
  private func goesBack(_ version: Version) -> Bool {
    let others = ancestors(of: [version.id]).filter { id in
      number(id).map { content(versions[$0]) != content(version) } ?? false
    }
    return contents(of: ancestors(of: Array(others))).contains(content(version))
  }

  private func contents(of ids: Set<VersionID>) -> Set<Int> {
    Set(ids.compactMap(number).map { contentNumbers[$0] })
  }

  /// All versions that some versions follow from, anywhere in the world.
  private func ancestors(of ids: [VersionID]) -> Set<VersionID> {
    var found: Set<VersionID> = []
    var waiting = ids
    while let id = waiting.popLast() {
      guard let number = number(id) else { continue }
      for parent in versions[number].parents where found.insert(parent).inserted {
        waiting.append(parent)
      }
    }
    return found
  }
}

extension Action {
  /// The version that the live file is made equal to.
  fileprivate var written: VersionID? {
    switch self {
    case .adopt(let id), .repair(let id, _): id
    default: nil
    }
  }
}

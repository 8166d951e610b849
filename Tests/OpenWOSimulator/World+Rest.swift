import OpenWO
import OpenWOHistory

/// The end of a run: faults stop, the service catches up, and everything must settle in one state.
extension World {
  private static var mostRounds: Int { 40 }

  /// Lets the world settle and checks its state.
  func rest() {
    for device in devices where violation == nil {
      device.operation = nil
      device.isExclusive = false
      device.isCut = false
      give(device)
    }
    answerLocks()
    endLocks()
    time += Self.stagingAge + 10_000
    // First all that is due soon, then all that anybody waits for.
    let isCalm = comesToRest()
    // A clock that was set back comes once more to the moments that it has seen, and then what arrived at them is waited for.
    time += policy.ancestryTime * (hasSetBack ? 2 : 1)
    if isCalm && comesToRest() { return checkRest() }
    violate(.convergence, "the folder never comes to rest")
  }

  /// Lets the service and openwo take turns until neither changes anything.
  ///
  /// Between two looks of a device more time passes than openwo gives a file, so what one round leaves alone the next one would too.
  private func comesToRest() -> Bool {
    for _ in 0..<Self.mostRounds where violation == nil {
      let before = fingerprint()
      let isQuiet = drain()
      reconcileAll()
      if isQuiet && fingerprint() == before { return true }
    }
    return false
  }

  /// Moves files until there are none to move.
  ///
  /// - Returns: Whether there were none.
  func drain() -> Bool {
    var isQuiet = true
    for round in 0..<300 {
      var isBusy = false
      for device in devices {
        while service.completeArrival(on: device, 0, in: self) { isBusy = true }
        var number = round
        while number < round + 200, service.takeChange(of: device, number, in: self) {
          isBusy = true
          number += 1
        }
        while number < round + 400, service.bringChange(to: device, number, in: self) {
          isBusy = true
          number += 1
        }
      }
      if !isBusy { return isQuiet }
      isQuiet = false
    }
    violate(.convergence, "the service never becomes quiet")
    return false
  }

  private func reconcileAll() {
    for device in devices where violation == nil {
      time += 7000
      device.operation = Operation([.look])
      finish(device)
      check(device)
    }
  }

  /// A lock that all could see for a while is answered by all; another one may have run out just now.
  private func answerLocks() {
    _ = drain()
    guard devices.contains(where: { lockInFiles($0) != nil }) else { return }
    var before: [StoreLock?] = []
    for _ in 0..<3 where violation == nil {
      before = devices.map(lockInFiles)
      _ = drain()
      reconcileAll()
    }
    let standing = devices.map(lockInFiles)
    guard let lock = standing[0], (standing + before).allSatisfy({ $0?.id == lock.id }) else {
      return
    }
    applied.insert(.lockAnswered)
    for device in devices where device.id != lock.device {
      guard ownRecord(device)?.acknowledged.contains(lock.id) != true else { continue }
      violate(.progress, "\(device.id) has not answered a lock that it sees")
    }
  }

  /// Everybody gives back the lock they have; what is left belongs to devices that are gone.
  private func endLocks() {
    for device in devices where violation == nil && ownLock(device) != nil {
      device.operation = Operation([.checkpoint(discard: false)])
      finish(device)
    }
    _ = drain()
    for device in devices where !hasLostFiles {
      guard let lock = lockBoard(device).effective, givenBack.contains(lock.id) else { continue }
      violate(.progress, "\(device.id) heeds a lock that was given back")
    }
    for _ in 0..<lockPaths.count where violation == nil {
      _ = drain()
      guard let device = devices.first(where: { lockBoard($0).effective != nil }) else { return }
      force(0, device)
      if ownLock(device) != nil {
        device.operation = Operation([.checkpoint(discard: false)])
        finish(device)
      }
    }
    _ = drain()
    if violation == nil, let device = devices.first(where: { lockBoard($0).effective != nil }) {
      violate(.progress, "\(device.id) sees a lock that nobody can end")
    }
  }

  /// All files and what the devices know, as numbers.
  private func fingerprint() -> [Int] {
    devices.flatMap { device -> [Int] in
      let files = paths.indices.map { device.folder[$0]?.value ?? -1 }
      return files + [device.known?.content ?? -1, device.pending.count]
    }
  }

  private func checkRest() {
    let live = devices.map { $0.folder[Self.live]?.value }
    guard let content = live[0], live.allSatisfy({ $0 == content }) else {
      return violate(.convergence, "the live files differ: \(live.map { $0 ?? -1 })")
    }
    if !pool[content].isWhole { violate(.wholeFiles, "the live files are torn") }
    let everything = devices.reduce(Rows()) { $0.union($1.acknowledged) }
    for device in devices {
      checkRest(device, content)
      let lost = everything.subtracting(device.historyRows)
      if !lost.isEmpty {
        violate(.nothingLost, "rows \(lost.list) are in no version of \(device.id)")
      }
      checkHeld(everything, device)
    }
    checkOutsideEdits()
    checkLastWriter(content)
  }

  private func checkRest(_ device: Device, _ content: Int) {
    // Without those whose content is lost with the disk that had it.
    let heads = device.graph.effectiveHeads { id in
      hasLostFiles && device.graph[id].map { !holds(self.content($0), device) } ?? false
    }
    if heads.count != 1 || heads.first.map({ self.content($0.version) }) != content {
      violate(.convergence, "\(device.id) has \(heads.count) heads")
    }
    if let own = ownRecord(device), !device.ended.isSubset(of: own.revoked) {
      violate(.locksKept, "\(device.id) does not say any more which locks it has ended")
    }
    if !device.pending.isEmpty { violate(.progress, "\(device.id) has unpublished versions") }
    for path in databasePaths where path != Self.live {
      guard let file = device.folder[path] else { continue }
      // A person's copy stays.
      if scenario.hasPersonalNames, exists(file.value, device) { continue }
      violate(.progress, "\(device.id) has \(paths[path]) with content \(file.value) left over")
    }
  }

  /// A version that is listed without its content is of no use, unless a lost disk had the only one.
  private func checkHeld(_ everything: Rows, _ device: Device) {
    guard !hasLostFiles else { return }
    applied.insert(.contentHeld)
    let held = device.held.reduce(Rows()) { $0.union(pool[$1].rows) }
    let lost = everything.subtracting(held)
    if !lost.isEmpty {
      violate(.nothingLost, "rows \(lost.list) are listed and not held by \(device.id)")
    }
  }

  /// Edits of other programs survive wherever the service keeps what it replaces.
  private func checkOutsideEdits() {
    let style = scenario.service
    guard style.kind != .blind, style.makesCopies, style.mostCopies == nil,
      style.delivery == .rename, !hasLostFiles, !hasPutBack
    else { return }
    if !editRows.isEmpty { applied.insert(.outsideEdits) }
    let all = devices.reduce(Rows()) { $0.union($1.historyRows) }
    let lost = editRows.subtracting(all)
    if !lost.isEmpty { violate(.nothingLost, "edited rows \(lost.list) are in no version") }
  }

  /// The live content at the end is the one that was made last; a content without its own row, as
  /// after a change of the mode, is not a write.
  private func checkLastWriter(_ content: Int) {
    guard !hasRestored, !hasLostFiles, !scenario.merges, timesTell else { return }
    var first: [Int: HybridTime] = [:]
    for version in devices[0].graph.versions where version.device != Version.settleDevice {
      let number = self.content(version)
      if isOnlyCopied(number) { continue }
      first[number] = min(first[number] ?? version.at, version.at)
    }
    let written = first.filter { (number, _) in pool.hasOwnRows(number) }
    // An app stamps its write when it captures it, a moment after the file's time by which others go that capture a copy of it.
    let same = devices[0].graph.versions.filter { self.content($0) == content }
    let stamped = same.filter { $0.reason == .write }
    guard !same.contains(where: isRedated) else { return }
    // Within a millisecond it is the ticks that decide, of which a settled version has one more than its winner.
    applied.insert(.lastWriter)
    guard let last = written.values.max(), let ours = stamped.map(\.at).min() ?? first[content],
      ours.milliseconds < last.milliseconds
    else { return }
    let winner = written.first { $0.value == last }?.key ?? -1
    violate(.sameAnswer, "content \(content) is live, although \(winner) was written later")
  }
}

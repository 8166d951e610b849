import OpenWO
import OpenWOHistory

/// A device's own file, and its private state.
extension World {
  /// Changes the device's own file in the companion and writes it if that makes a difference.
  func updateOwnRecord(_ device: Device, _ change: (inout Record) -> Void) {
    let before = ownRecord(device)
    var record = before ?? Record(identity: device.identity)
    if fault != .forgetsItsWords { record.repeatWords(device.said) }
    change(&record)
    guard record != before else { return }
    device.said = record.revoked
    records.append(record)
    let path = path(.record(device.identity))
    put(newFile(records.count - 1, on: device), at: path, on: device)
    if writers.updateValue(device.place, forKey: path) ?? device.place != device.place {
      violate(.sameAnswer, "two devices write the file of \(device.id)")
    }
  }

  /// Rewrites the device's file if a service restored an older form of it.
  func repeatOwnWords(_ device: Device) {
    guard !device.said.isEmpty, fault != .forgetsItsWords else { return }
    updateOwnRecord(device) { _ in }
  }

  /// Notes that the device has ended a lock.
  func revoke(_ lock: String, _ device: Device) {
    device.ended.insert(lock)
    updateOwnRecord(device) { own in
      if !own.revoked.contains(lock) { own.revoked.append(lock) }
    }
  }

  func writeLock(_ lock: StoreLock, _ device: Device) {
    locks.append(lock)
    put(newFile(locks.count - 1, on: device), at: path(.lock(device.identity)), on: device)
  }

  /// The device's own lock file, if there is one.
  func ownLock(_ device: Device) -> StoreLock? {
    guard let path = pathNumber(.lock(device.identity)), let file = device.folder[path],
      !file.isPiece, !file.isPlaceholder
    else { return nil }
    return locks[file.value]
  }

  /// Makes a version of this device durable in its state folder.
  func keep(_ draft: Operation.Draft, _ device: Device) -> Int? {
    refreshGraph(device)
    let parents = draft.parents.compactMap { device.graph[$0] }
    let at = stamp(draft, parents, device)
    let content = pool[draft.content]
    let facts = ContentFacts(
      hash: content.hash, bytes: 4096, pageSize: 4096, userVersion: 0, applicationID: 0)
    guard
      let version = try? Version(
        facts: facts, parents: draft.parents, device: device.id, deviceName: device.id, at: at,
        reason: draft.reason, members: draft.isAside ? [Version.aside] : [])
    else {
      violate(.progress, "a version cannot be made of \(draft)")
      return nil
    }
    let base = draft.base.flatMap { holds($0, device) ? $0 : nil }
    let number = number(version, base: base)
    if fault != .acknowledgesBeforeCapture || draft.reason != .write {
      device.pending.append(number)
      device.isGraphStale = true
    }
    tell(.captured, device, number, draft.content)
    explain(device, "captures \(words(version)) as v\(number)")
    judge(version, draft, device)
    if draft.isFromPersonalCopy {
      copied.insert(draft.content)
    } else {
      written.insert(draft.content)
    }
    if draft.isAside { applied.insert(.copiesStayAside) }
    // From the moment a look has seen it, the edit of another program counts like a write that was acknowledged.
    if draft.reason == .external || draft.reason == .edit {
      device.acknowledged.formUnion(content.rows)
    }
    return number
  }

  /// The parents of what is made on the live file as it is known.
  func family(_ device: Device) -> [VersionID] {
    device.known.map { device.graph.family(of: $0.version) } ?? []
  }

  /// The stamp of a new version: by the clock for what we made, by the file's time for what we found.
  private func stamp(
    _ draft: Operation.Draft, _ parents: [Version], _ device: Device
  ) -> HybridTime {
    let clock = now(device)
    if fault == .clockAlone { return HybridTime(milliseconds: clock) }
    if fault == .clockUnbounded {
      let latest = device.graph.versions.map(\.at).max() ?? HybridTime(milliseconds: 0)
      return max(latest.tick, HybridTime(milliseconds: clock))
    }
    guard let modified = draft.modified, fault != .stampsByDiscovery else {
      return HybridTime.next(
        after: device.graph.versions.lazy.map(\.at), now: clock - (time - (draft.committed ?? time))
      )
    }
    return HybridTime.found(modified: modified, after: parents.map(\.at), now: clock)
  }

  /// Puts a version into the companion.
  func publish(_ number: Int, _ device: Device) {
    if publishedPath[number] == nil { publishedPath[number] = path(.version(number)) }
    guard let path = publishedPath[number], !isReadable(device.folder[path]) else { return }
    put(newFile(number, on: device), at: path, on: device)
    tell(.published, device, number)
  }
}

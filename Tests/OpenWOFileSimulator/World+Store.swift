import Corpora
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage

/// The apps, working on their stores.
extension World {
  /// Lets the app of a device do something, in some runs with a failing call or a delivery in its middle.
  func act(_ kind: Step.Kind, _ device: Device, _ random: inout SeededRandom) throws {
    let number = random.number(0...150)
    var arrived: (path: String, revision: Cloud.Revision)?
    var isFailing = false
    if scenario.interrupts, random.chance(0.3), let coming = interruption(of: device, &random) {
      arrived = (coming.path, coming.revision)
      device.watch.begin((number, .service(coming.action)))
    } else if scenario.failsCalls, random.chance(0.2) {
      isFailing = true
      let codes: [Errno] = [.noSpace, .ioError, .permissionDenied]
      let code = codes[random.number(0...2)].rawValue
      device.watch.begin((number, .failure(code, lasting: random.chance(0.3))))
    } else {
      device.watch.begin(nil)
    }
    let lock = lockInFiles(device)
    let before = try underLock(device)
    var acted = ""
    do {
      try call(kind, device, &random)
      acted = finish(device, arrived)
      if isFailing && !acted.isEmpty { tell("\(device.name) \(kind) in spite of \(acted)") }
      if kind == .write, let lock, lock == lockInFiles(device) {
        throw Violation(description: "I4 a write under a lock: of \(lock.device)")
      }
    } catch let error as StoreError {
      acted = finish(device, arrived)
      let disturbance: Disturbance =
        acted.isEmpty ? .none : isFailing ? .failing(acted) : .replaced(acted)
      tell("\(device.name) \(kind): \(error)\(acted.isEmpty ? "" : " before \(acted)")")
      let isLocked = lock != nil || lockInFiles(device) != nil
      try judge(error, kind, device, disturbance, isLocked: isLocked)
    }
    if acted.isEmpty || arrived?.path != Device.database {
      try checkLock(before, kind, device)
    }
    let wrong = device.watch.end().violation
    if let wrong { throw Violation(description: wrong) }
  }

  /// A disturbance in the middle of a step, and the call before which it happened.
  enum Disturbance {
    case none
    case failing(String)
    case replaced(String)
  }

  private func finish(_ device: Device, _ arrived: (path: String, revision: Cloud.Revision)?)
    -> String
  {
    let acted = device.watch.end().acted
    if let arrived, !acted.isEmpty {
      tell("\(device.name) got \(arrived.path) before \(acted)")
      device.base[arrived.path] = arrived.revision
      if !arrived.path.contains("/") { device.edits = Rows() }
    }
    return acted
  }

  private func call(_ kind: Step.Kind, _ device: Device, _ random: inout SeededRandom) throws {
    switch kind {
    case .write: try write(device)
    case .read: try read(device)
    case .close:
      // The next store does what this one could not do at its end.
      defer { device.store = nil }
      try device.store?.close()
    default: try call(kind, device.opened(), device, &random)
    }
  }

  private func call(
    _ kind: Step.Kind, _ store: SyncedDatabase, _ device: Device, _ random: inout SeededRandom
  ) throws {
    switch kind {
    case .reconcile: try reconcile(store, device)
    case .publish: try store.publish()
    case .restore:
      let versions = try store.history().map(\.version).sorted { $0.at < $1.at }
      if let version = versions.randomElement(using: &random) { _ = try store.restore(version.id) }
    case .merge:
      if let source = try store.mergeable().randomElement(using: &random) {
        let result = try store.merge(source)
        if result.tables.contains(where: { $0.table != "filler" && !$0.decided.isEmpty }) {
          isDecided = true
        }
        tell("\(device.name) merges \(source) as \(result.version?.short ?? "nothing")")
      }
    case .prune:
      // The live version of a device of which nobody here has heard may go.
      let records = device.folder.appending("\(Device.companion)/devices")
      if try device.files.list(records).count == devices.count { _ = try store.prune() }
    case .lock: _ = try store.lock(LockRequest(outlivesProcess: random.chance(0.5)))
    case .unlock: _ = try store.unlock()
    case .discard: _ = try store.unlock(UnlockRequest(discard: true))
    case .force:
      if let lock = try store.lockReport()?.lock {
        _ = try store.unlock(UnlockRequest(force: lock.id))
        device.ended.insert(lock.id)
      }
    default: break
    }
  }

  func reconcile(_ store: SyncedDatabase, _ device: Device) throws {
    let actions = try store.reconcile().actions.map { step in
      [step.kind, step.path, step.reason].compactMap(\.self).joined(separator: " ")
    }
    if !actions.isEmpty { tell("\(device.name) does \(actions.joined(separator: ", "))") }
  }

  private func write(_ device: Device) throws {
    guard let row = newRow() else { return }
    let store: SyncedDatabase
    do {
      store = try device.opened()
    } catch {
      failed.insert(row)
      throw error
    }
    do {
      try store.write { try Self.insert(row, $0) }
    } catch let error as StoreError {
      switch error.code {
      case .setAside: device.expected.insert(row)
      case .inDoubt:
        if let bytes = device.bytes(Device.database) {
          states.insert(contents.facts(of: bytes).1.rows)
        }
      default: failed.insert(row)
      }
      throw error
    }
    tell("\(device.name) writes row \(row)")
    if scenario.capturesLater {
      device.edits.insert(row)
      if let bytes = device.bytes(Device.database) {
        states.insert(contents.facts(of: bytes).1.rows)
      }
    } else {
      device.expected.insert(row)
    }
  }

  private func read(_ device: Device) throws {
    let rows = try device.opened().read { db in
      try Contents.rows(db, "t").union(try Contents.rows(db, "u"))
    }
    // A merge on the way makes a state of its own.
    _ = try rowsInVersions(device)
    guard states.contains(rows) else {
      throw Violation(
        description: "I3 a read of rows that never were together: \(device.name) \(rows.numbers)")
    }
  }
}

/// Whether errors say what is so.
extension World {
  private func judge(
    _ error: StoreError, _ kind: Step.Kind, _ device: Device, _ disturbance: Disturbance,
    isLocked: Bool
  ) throws {
    if case .setAside = error.code {
      let version = try error.version.flatMap { try versions(of: device).graph[$0] }
      guard version != nil else {
        throw Violation(description: "I10 set aside as a version that is not there: \(error)")
      }
    }
    if case .failing = disturbance { return }
    let allowed: Bool
    switch error.code {
    case .locked: allowed = isLocked
    case .notYourLock, .lockLost: allowed = [.unlock, .discard, .force].contains(kind)
    case .setAside, .inDoubt: allowed = if case .replaced = disturbance { true } else { false }
    case .unavailable, .damaged, .busy, .noStore:
      allowed = try isDisturbed(device, disturbance) && (kind != .read || lacksContent(device))
    case .mergeRefused: allowed = kind == .merge
    case .notRestorable: allowed = try lacksContent(device)
    default: allowed = false
    }
    if !allowed {
      throw Violation(description: "I10 an error that nothing explains: \(kind) \(error)")
    }
  }

  /// Whether something is the matter with the live file.
  private func isDisturbed(_ device: Device, _ disturbance: Disturbance) throws -> Bool {
    if case .replaced = disturbance { return true }
    guard let bytes = device.bytes(Device.database) else { return true }
    return try !versions(of: device).holds(ContentHash(of: bytes))
      || device.bytes("\(Device.companion)/store.json") == nil
  }

  private func lacksContent(_ device: Device) throws -> Bool {
    let versions = try versions(of: device)
    return device.lacksVersions || versions.stored.contains { !versions.holds($0.version.content) }
      || device.bytes("\(Device.companion)/store.json") == nil
  }

}

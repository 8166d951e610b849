import Corpora
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The invariants after every step, and at the end.
extension World {
  /// The versions that are on a device now.
  func versions(of device: Device) throws -> ArchiveListing {
    guard let archive = device.archive else { return .empty }
    device.versions = try archive.scan(reusing: device.versions)
    return device.versions
  }

  /// The rows in the versions of a device; new versions are looked at on the way.
  func rowsInVersions(_ device: Device) throws -> Rows {
    let versions = try versions(of: device)
    var rows = Rows()
    // First what the service left half-written: versions have no order in which each comes after its parents.
    for stored in versions.stored where torn.contains(stored.version.content) {
      isTorn = true
      halves.formUnion(contents.facts(stored.version.content)?.halves ?? Rows())
    }
    for stored in versions.stored where versions.holds(stored.version.content) {
      let facts = try facts(of: stored.version, device)
      try judge(stored.version, facts, device)
      rows.formUnion(facts.rows)
    }
    return rows
  }

  private func facts(of version: Version, _ device: Device) throws -> Contents.Facts {
    if let facts = contents.facts(version.content) { return facts }
    guard let archive = device.archive else { return Contents.Facts() }
    let reader = try archive.reader(version.content, in: device.versions)
    var bytes = [UInt8](repeating: 0, count: Int(reader.size))
    var done = 0
    while done < bytes.count {
      let count = try bytes.withUnsafeMutableBytes { buffer in
        try reader.read(
          at: Int64(done), into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
      }
      guard count > 0 else { break }
      done += count
    }
    let (content, facts) = contents.facts(of: bytes)
    if content != version.content {
      throw Violation(description: "I1 a version is not what its hash says: \(version.id.short)")
    }
    return facts
  }

  /// A version is a whole database, and one that somebody has made.
  private func judge(_ version: Version, _ facts: Contents.Facts, _ device: Device) throws {
    guard judged.insert(version.id).inserted else { return }
    tell(
      "\(device.name) has \(version.id.short) \(version.reason) of \(version.device), rows \(facts.rows.numbers), from \(version.parents.map(\.short))"
    )
    guard facts.isWhole else {
      throw Violation(description: "I3 a damaged file became a version: \(version.reason)")
    }
    let half = facts.halves.subtracting(halves)
    // A merge by rows may find twins in one table of a torn version and none in the other.
    if !half.isEmpty && !(isTorn && scenario.settling == .merge) {
      throw Violation(
        description: "I3 half a transaction became a version: \(version.reason) \(half.numbers)")
    }
    if !isTorn, [.external, .edit].contains(version.reason), !states.contains(facts.rows) {
      throw Violation(
        description: "I3 a torn file became a version: \(version.reason) \(facts.rows.numbers)")
    }
    states.insert(facts.rows)
  }

  /// Checks a device after a step that touched it.
  func check(_ device: Device) throws {
    var held = try rowsInVersions(device)
    if !device.lacksVersions { device.expected.formUnion(held) }
    device.edits = device.edits.subtracting(held)
    for name in try device.databases() {
      if let bytes = device.bytes(name) { held.formUnion(contents.facts(of: bytes).1.rows) }
    }
    let lost = device.expected.union(device.edits).subtracting(held)
    if !lost.isEmpty && !device.lacksVersions {
      throw Violation(
        description: "I1 lost: row \(lost.numbers) is neither live on \(device.name) nor a version")
    }
    let undone = held.intersection(failed)
    if !undone.isEmpty {
      throw Violation(description: "I10 a write that failed took place: \(undone.numbers)")
    }
    for path in device.bystanders
    where (try? device.files.readSmall(path, limit: 10)) != [1, 2, 3] {
      throw Violation(description: "I8 touched: \(path.lastComponent?.string ?? "")")
    }
  }

  /// Faults stop, everything is carried to everybody, and all must come to the same.
  func rest() throws {
    tell("rest")
    for device in devices {
      device.clock.setSkew(0)
      device.watch.begin(nil)
    }
    try drain()
    try endLocks()
    for minutes in [1, 1, 1, 20, 1, 1, 20, 60, 1, 1] as [Int64] {
      try drain()
      clock.advance(milliseconds: minutes * 60_000)
      for device in devices {
        clock.advance(milliseconds: 10_000)
        try onlyHere(device) { try reconcile($0, device) }
        try check(device)
      }
    }
    try drain()
    for device in devices { try checkRest(device) }
    for device in devices { try checkPruning(device) }
  }

  /// Each device ends its own lock; a device that must wait for another lock tries again.
  private func endLocks() throws {
    var waiting = devices
    while !waiting.isEmpty {
      let told = try waiting.filter { try !endLock($0) }
      guard told.count < waiting.count else {
        throw Violation(description: "nobody can end a lock: \(told.map(\.name))")
      }
      waiting = told
    }
  }

  /// - Returns: Whether this device has no lock now.
  private func endLock(_ device: Device) throws -> Bool {
    do {
      try onlyHere(device) { _ = try $0.unlock() }
    } catch let error as StoreError where error.code == .locked {
      return false
    } catch let error as StoreError
      where error.code == .notYourLock || error.code == .lockLost
    {}
    try drain()
    return true
  }

  /// Opens the store again, uses it, and closes it.
  private func onlyHere(_ device: Device, _ body: (SyncedDatabase) throws -> Void) throws {
    try device.store?.close()
    device.store = nil
    try body(device.opened())
    try device.store?.close()
    device.store = nil
    if let wrong = device.watch.end().violation { throw Violation(description: wrong) }
  }

  /// Every row that somebody was told of, at any time.
  private var allExpected: Rows { devices.reduce(Rows()) { $0.union($1.expected) } }

  /// A version with rows that no later version has stays, however little is to be kept, except for
  /// rows that a merge decided against.
  ///
  /// Under a lock, a person's edit on top of a service's write in place counts as an edit of the
  /// state before.
  private func checkPruning(_ device: Device) throws {
    guard scenario.settling == .lastWriterWins, !isEditedOverService, !isDecided else { return }
    device.retention = Retention(last: 1)
    try onlyHere(device) { _ = try $0.prune() }
    let lost = allExpected.subtracting(try rowsInVersions(device))
    if !lost.isEmpty {
      throw Violation(description: "I1 pruned: \(lost.numbers) on \(device.name)")
    }
  }

  private func checkRest(_ device: Device) throws {
    let all = allExpected
    let lost = all.subtracting(try rowsInVersions(device))
    if !lost.isEmpty {
      throw Violation(description: "I1 lost at the end: \(lost.numbers) on \(device.name)")
    }
    guard let bytes = device.bytes(Device.database), bytes == devices[0].bytes(Device.database)
    else { throw Violation(description: "I2 the live files differ: \(device.name)") }
    // A name that people choose too is somebody's backup when its content has been live here: it stays, and nothing waits for it.
    let others = try device.databases().filter { $0 != Device.database }
    let left = others.filter { name in
      let isWeak = scenario.copyName == .iCloud && name.hasPrefix("openwo ")
      return
        !(isWeak
        && device.bytes(name).map { device.versions.holds(Contents.content(of: $0)) } == true)
    }
    if !left.isEmpty { throw Violation(description: "I14 left in the folder: \(left)") }
    try onlyHere(device) { store in
      let status = try store.status()
      if status.state != .synced {
        throw Violation(description: "I2 the state at the end: \(status.state) on \(device.name)")
      }
      guard status.content.map(device.versions.holds) == true,
        try store.read({ try $0.integrityCheck(limit: 1) }).isEmpty
      else { throw Violation(description: "I3 the live file at the end: \(device.name)") }
    }
  }
}

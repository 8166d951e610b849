import Corpora
import OpenWOFiles
import OpenWOHistory
import OpenWOTestSupport
import SystemPackage

/// The service, acting on real files.
extension World {
  /// The part of a device's folder that the service sees.
  private func local(_ device: Device) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    var names = try device.databases().filter { !isPassedOver($0) }
    for part in ["", "/versions", "/devices", "/locks"] {
      let folder = Device.companion + part
      guard try device.files.statusIfPresent(device.path(folder)) != nil else { continue }
      names += try device.files.list(device.path(folder)).map { "\(folder)/\($0.string)" }
        .filter { !isPassedOver($0) }
    }
    for name in names {
      let status = try device.files.lstat(device.path(name))
      guard status.kind == .regular else { continue }
      if let known = device.cache[name], known.signature == status.signature,
        name != Device.database
      {
        found[name] = known.bytes
      } else if let bytes = device.bytes(name) {
        found[name] = bytes
        device.cache[name] = (status.signature, bytes)
      }
    }
    return found
  }

  private func isPassedOver(_ path: String) -> Bool {
    path.hasSuffix(".tmp") || path.hasSuffix("-journal") || path.hasSuffix("-wal")
      || path.hasSuffix("-shm") || path.contains(".~")
  }

  private func isArriving(_ path: String, _ device: Device) -> Bool {
    device.arrivals.contains { $0.path == path }
  }

  /// Takes one local change; false when there is none.
  @discardableResult
  func takeChange(of device: Device, _ random: inout SeededRandom) throws -> Bool {
    let local = try local(device)
    let paths = Set(local.keys).union(device.base.keys).sorted().filter { path in
      local[path] != device.base[path]?.bytes && !isArriving(path, device)
    }
    guard !paths.isEmpty else { return false }
    let path = paths[random.number(0...paths.count - 1)]
    let newest = cloud.files[path]
    if newest == nil || newest?.number == device.base[path]?.number {
      try upload(local[path], path, device)
    } else if let newest {
      try resolve(path, local[path], newest, device, &random)
    }
    return true
  }

  private func upload(_ bytes: [UInt8]?, _ path: String, _ device: Device) throws {
    let modified = try device.files.statusIfPresent(device.path(path))?.mtime ?? 0
    device.base[path] = cloud.take(bytes, modified: modified, of: path)
    tell("\(device.name) up \(path)\(bytes == nil ? " removed" : "")")
  }

  /// Brings one change; false when there is none.
  @discardableResult
  func bringChange(
    to device: Device, _ random: inout SeededRandom, plainly: Bool = false
  ) throws -> Bool {
    let paths = cloud.files.keys.sorted().filter { path in
      (cloud.files[path]?.number ?? 0) > (device.base[path]?.number ?? 0)
        && !isArriving(path, device)
    }
    guard !paths.isEmpty else { return false }
    let path = paths[random.number(0...paths.count - 1)]
    guard let newest = cloud.files[path] else { return false }
    let local = device.bytes(path)
    if local == device.base[path]?.bytes {
      try deliver(newest, to: path, device, plainly ? nil : random.next())
    } else {
      try resolve(path, local, newest, device, &random)
    }
    return true
  }

  /// Two sides have changed a file.
  private func resolve(
    _ path: String, _ local: [UInt8]?, _ newest: Cloud.Revision, _ device: Device,
    _ random: inout SeededRandom
  ) throws {
    if local == newest.bytes {
      device.base[path] = newest
      return
    }
    guard let local else { return try deliver(newest, to: path, device, nil) }
    guard let other = newest.bytes, !path.contains("/") else {
      return try upload(local, path, device)
    }
    let modified = try device.files.lstat(device.path(path)).mtime
    let isLocalBetter = modified > newest.modified
    guard let style = scenario.copyName else {
      return isLocalBetter
        ? try upload(local, path, device) : try deliver(newest, to: path, device, nil)
    }
    let copy = copyName(style, device)
    tell("\(device.name) conflict over \(path): \(copy)")
    if isLocalBetter && random.chance(0.5) {
      try put(other, modified: newest.modified, at: copy, device)
      return try upload(local, path, device)
    }
    let edits = device.edits
    try device.files.rename(device.path(path), to: device.path(copy))
    _ = try device.files.statusIfPresent(device.path(copy))
    try deliver(newest, to: path, device, nil)
    device.edits = edits
  }

  private func copyName(_ style: Scenario.CopyName, _ device: Device) -> String {
    copies += 1
    let day = "2040-\(10 + copies / 28 % 3)-\(String(copies % 28 + 101).dropFirst())"
    let time = String(1_000_000 + copies).dropFirst()
    switch style {
    case .syncthing: return "openwo.sync-conflict-20400101-\(time)-ABCDEFG.sqlite"
    case .dropbox: return "openwo (\(device.name)'s conflicted copy \(day)).sqlite"
    case .oneDrive: return "openwo-DESKTOP-AB12CD3\(copies == 1 ? "" : "-\(copies)").sqlite"
    case .nextcloud: return "openwo (conflicted copy \(day) \(time)).sqlite"
    case .iCloud:
      let free = (2...99).first { device.bytes("openwo \($0).sqlite") == nil } ?? 99
      return "openwo \(free).sqlite"
    }
  }

  /// Puts a received file there, at once or in two steps; plainly without a number.
  private func deliver(
    _ revision: Cloud.Revision, to path: String, _ device: Device, _ number: UInt64?
  ) throws {
    if !path.contains("/") { device.edits = Rows() }
    guard let bytes = revision.bytes else {
      tell("\(device.name) loses \(path)")
      if try device.files.statusIfPresent(device.path(path)) != nil {
        try device.files.unlink(device.path(path))
      }
      device.base[path] = revision
      return
    }
    let kinds = scenario.delivery
    let form = number.map { kinds[Int($0 % UInt64(kinds.count))] } ?? .rename
    let isSlow = number.map { $0 / 8 % 2 == 0 } ?? false
    tell("\(device.name) gets \(path) \(form)\(isSlow ? " slowly" : "")")
    if path == Device.database {
      let isLocked = locks(on: device).contains(device.lockName)
      device.isOverwrittenUnderLock = form == .inPlace && isLocked
    }
    switch form {
    case .inPlace where isSlow: return try begin(revision, bytes, path, device)
    case .inPlace: try overwrite(bytes, at: path, device)
    case .gap where isSlow:
      if device.bytes(path) != nil { try device.files.unlink(device.path(path)) }
      device.arrivals.append(Arrival(path: path, revision: revision, form: .gap))
      return
    case .staged where isSlow:
      let slash = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
      let name = "\(path[..<slash]).syncthing.\(path[slash...]).tmp"
      try put(bytes, modified: revision.modified, at: name, device)
      device.arrivals.append(Arrival(path: path, revision: revision, form: .staged(name)))
      return
    default: return try take(revision, bytes, path, device)
    }
    try finish(revision, path, device)
  }

  private func take(
    _ revision: Cloud.Revision, _ bytes: [UInt8], _ path: String, _ device: Device
  ) throws {
    try put(bytes, modified: modified(revision, device), at: path, device)
    device.base[path] = revision
  }

  private func finish(_ revision: Cloud.Revision, _ path: String, _ device: Device) throws {
    try device.files.setTimes(device.path(path), modified: modified(revision, device))
    _ = try device.files.lstat(device.path(path))
    device.base[path] = revision
  }

  private func modified(_ revision: Cloud.Revision, _ device: Device) -> Int64 {
    switch scenario.time {
    case .kept: revision.modified
    case .seconds: revision.modified / 1_000_000_000 * 1_000_000_000
    case .arrival: device.clock.now() * 1_000_000
    }
  }

  /// Puts a whole file under a name in one step.
  private func put(_ bytes: [UInt8], modified: Int64, at path: String, _ device: Device) throws {
    try Self.place(
      bytes, modified: modified, at: device.path(path),
      by: root.appending("service/incoming-\(device.name)"),
      device.files)
  }

  private static func place(
    _ bytes: [UInt8], modified: Int64, at path: FilePath, by way: FilePath, _ files: FileSystem
  ) throws {
    try files.makeDirectories(path.removingLastComponent(), mode: 0o755)
    try AtomicFile.write(bytes, to: way, permissions: 0o644, durable: false, fileSystem: files)
    try files.setTimes(way, modified: modified)
    try files.rename(way, to: path)
    _ = try files.statusIfPresent(path)
  }

  private func overwrite(_ bytes: [UInt8], at path: String, _ device: Device) throws {
    try device.files.makeDirectories(device.path(path).removingLastComponent(), mode: 0o755)
    let file = try device.files.open(
      device.path(path), .readWrite, options: .create, permissions: 0o644)
    try bytes.withUnsafeBytes { try device.files.pwrite(file, at: 0, $0) }
    try device.files.truncate(file, to: Int64(bytes.count))
    try device.files.close(file)
    _ = try device.files.lstat(device.path(path))
  }

  /// Writes the first half of a file over the existing one.
  private func begin(
    _ revision: Cloud.Revision, _ bytes: [UInt8], _ path: String, _ device: Device
  ) throws {
    let half = bytes.count / 2
    let old = device.bytes(path) ?? []
    let piece = Array(bytes[..<half]) + old.dropFirst(half)
    try overwrite(piece, at: path, device)
    if !path.contains("/") {
      // Unknown pages may be anybody's: a file with them can look like an edit.
      let isKnown = [bytes, old].allSatisfy { device.versions.holds(ContentHash(of: $0)) }
      // Folding it back makes another content of it.
      for form in [piece, Contents.folded(piece)] {
        let (content, facts) = contents.facts(of: form)
        if isKnown {
          mixes.insert(content)
        } else {
          torn.insert(content)
          states.insert(facts.rows)
        }
      }
    }
    let inode = try device.files.lstat(device.path(path)).inode
    device.arrivals.append(Arrival(path: path, revision: revision, form: .half(inode, piece)))
  }

  /// Completes one arrival; false when there is none.
  @discardableResult
  func complete(on device: Device, _ random: inout SeededRandom) throws -> Bool {
    guard !device.arrivals.isEmpty else { return false }
    let arrival = device.arrivals.remove(at: random.number(0...device.arrivals.count - 1))
    let (path, revision) = (arrival.path, arrival.revision)
    let bytes = revision.bytes ?? []
    let status = try device.files.statusIfPresent(device.path(path))
    tell("\(device.name) gets the rest of \(path)")
    switch arrival.form {
    case .half(let inode, let piece):
      // A file that was put there meanwhile is a change of the device's own.
      guard status?.inode == inode, device.bytes(path) == piece else { return true }
      try overwrite(bytes, at: path, device)
      try finish(revision, path, device)
    case .gap where status == nil: try take(revision, bytes, path, device)
    case .gap: break
    case .staged(let name):
      let isOurs = device.bytes(path) == device.base[path]?.bytes
      if device.bytes(name) != nil { try device.files.unlink(device.path(name)) }
      if isOurs { try take(revision, bytes, path, device) }
    }
    if !path.contains("/") { device.edits = Rows() }
    return true
  }

  /// Brings an old state of the database once more.
  func bringOld(to device: Device, _ random: inout SeededRandom) throws {
    let path = Device.database
    guard let base = device.base[path], device.bytes(path) == base.bytes, !cloud.past.isEmpty,
      !isArriving(path, device)
    else { return }
    var old = cloud.past[random.number(0...cloud.past.count - 1)]
    old.number = base.number
    try deliver(old, to: path, device, random.next() | 8)
  }

  /// Takes a file away for a while.
  func takeAway(from device: Device, _ random: inout SeededRandom) throws {
    let paths = device.base.keys.sorted().filter { path in
      !isArriving(path, device) && device.base[path]?.bytes != nil
        && device.bytes(path) == device.base[path]?.bytes
    }
    let path = random.chance(0.5) ? Device.database : paths.randomElement(using: &random) ?? ""
    guard paths.contains(path), let base = device.base[path] else { return }
    tell("\(device.name) is without \(path)")
    if !path.contains("/") { device.edits = Rows() }
    // Without its version a page is one that nobody here has seen.
    if path.contains("/versions/") { torn.formUnion(mixes) }
    try device.files.unlink(device.path(path))
    device.arrivals.append(Arrival(path: path, revision: base, form: .gap))
  }

  /// A delivery that may come in the middle of a step: what it does, and what it is when it was done.
  func interruption(
    of device: Device, _ random: inout SeededRandom
  ) -> (action: @Sendable () -> Void, path: String, revision: Cloud.Revision)? {
    let paths = cloud.files.keys.sorted().filter { path in
      (cloud.files[path]?.number ?? 0) > (device.base[path]?.number ?? 0)
        && !isArriving(path, device) && device.bytes(path) == device.base[path]?.bytes
        && cloud.files[path]?.bytes != nil
    }
    guard let path = paths.randomElement(using: &random), let revision = cloud.files[path],
      let bytes = revision.bytes
    else { return nil }
    let (files, modified) = (device.files, modified(revision, device))
    let (target, way) = (device.path(path), root.appending("service/between-\(device.name)"))
    let action: @Sendable () -> Void = {
      try? Self.place(bytes, modified: modified, at: target, by: way, files)
    }
    return (action, path, revision)
  }

  /// Moves files until there are none to move.
  func drain() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<2_000 {
      var isBusy = false
      for device in devices {
        while try complete(on: device, &random) { isBusy = true }
        while try takeChange(of: device, &random) { isBusy = true }
        while try bringChange(to: device, &random, plainly: true) { isBusy = true }
      }
      if !isBusy { return }
    }
    throw Violation(description: "I2 the service never comes to rest:")
  }
}

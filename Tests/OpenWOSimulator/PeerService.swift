/// Devices that exchange files with each other, with a version vector for each file; like Syncthing.
struct PeerService: Service {
  let style: ServiceStyle
  private var indices: [[Entry?]]
  private var arrivals: [[PeerArrival]]

  private struct Entry {
    var vector = SIMD8<UInt16>()
    /// nil: removed.
    var value: Int?
    var modified: Int64
  }

  private struct PeerArrival {
    var arrival: Arrival
    var entry: Entry
  }

  init(_ style: ServiceStyle, devices: Int) {
    self.style = style
    indices = Array(repeating: [], count: devices)
    arrivals = Array(repeating: [], count: devices)
  }

  private func entry(_ path: Int, _ place: Int) -> Entry? {
    path < indices[place].count ? indices[place][path] : nil
  }

  private mutating func note(_ path: Int, _ place: Int, _ entry: Entry) {
    let missing = path + 1 - indices[place].count
    if missing > 0 { indices[place] += [Entry?](repeating: nil, count: missing) }
    indices[place][path] = entry
  }

  private func isArriving(_ path: Int, _ device: Device) -> Bool {
    arrivals[device.place].contains { $0.arrival.path == path }
  }

  /// The first path from a place on, and around, that a condition picks.
  private func pick(_ count: Int, _ number: Int, _ condition: (Int) -> Bool) -> Int? {
    guard count > 0 else { return nil }
    let start = style.isOrderly ? 0 : number % count
    return (start..<count).first(where: condition) ?? (0..<start).first(where: condition)
  }

  private func isScanned(_ path: Int, _ device: Device) -> Bool {
    guard let file = device.folder[path] else { return entry(path, device.place)?.value == nil }
    return file.value == entry(path, device.place)?.value
  }

  mutating func takeChange(of device: Device, _ number: Int, in world: World) -> Bool {
    let changed = pick(world.paths.count, number) { path in
      if case .staging = world.paths[path] { return false }
      if let file = device.folder[path], file.isPiece || file.isPlaceholder { return false }
      return !isArriving(path, device) && !isScanned(path, device)
    }
    guard let path = changed else { return false }
    let file = device.folder[path]
    var entry = entry(path, device.place) ?? Entry(modified: 0)
    entry.vector[device.place] += 1
    entry.value = file?.value
    entry.modified = file?.modified ?? entry.modified
    note(path, device.place, entry)
    world.tell(.uploaded, device, path, file?.value ?? -1)
    world.explain(device, "gives \(world.paths[path]) = \(file?.value ?? -1)")
    return true
  }

  mutating func bringChange(to device: Device, _ number: Int, in world: World) -> Bool {
    guard !device.isCut else { return false }
    let count = world.devices.count
    for offset in 0..<count {
      let other = world.devices[(number + offset) % count]
      guard other !== device, !other.isCut else { continue }
      let due = pick(indices[other.place].count, number / 8) { isDue($0, device, other, world) }
      guard let path = due, let theirs = entry(path, other.place) else { continue }
      pull(path, theirs, other, device, number, world)
      return true
    }
    return false
  }

  private func isDue(_ path: Int, _ device: Device, _ other: Device, _ world: World) -> Bool {
    guard let theirs = entry(path, other.place) else { return false }
    let mine = entry(path, device.place)
    if let mine, all(theirs.vector .<= mine.vector) { return false }
    if mine == nil && theirs.value == nil { return false }
    // A file that changed since it was looked at waits for the next look, on either side.
    guard isScanned(path, device), !isArriving(path, device) else { return false }
    guard theirs.value == nil || isScanned(path, other) && !isArriving(path, other) else {
      return false
    }
    guard let mine, !all(mine.vector .<= theirs.vector), mine.value != theirs.value else {
      return true
    }
    return isBeaten(mine, by: theirs, device, other)
  }

  private func isBeaten(_ mine: Entry, by theirs: Entry, _ device: Device, _ other: Device) -> Bool
  {
    if mine.value == nil { return true }
    if theirs.value == nil { return false }
    return (mine.modified, device.place) < (theirs.modified, other.place)
  }

  private mutating func pull(
    _ path: Int, _ theirs: Entry, _ other: Device, _ device: Device, _ number: Int, _ world: World
  ) {
    let mine = entry(path, device.place) ?? Entry(modified: 0)
    var merged = theirs
    merged.vector = pointwiseMax(mine.vector, theirs.vector)
    let isConflict = !all(mine.vector .<= theirs.vector) && mine.value != theirs.value
    guard let value = theirs.value else {
      world.put(nil, at: path, on: device)
      return note(path, device.place, merged)
    }
    if device.folder[path]?.value == value { return note(path, device.place, merged) }
    if isConflict, device.folder[path] != nil, !world.paths[path].isCompanion {
      world.tell(.conflicted, device, path, mine.value ?? -1)
      world.explain(device, "conflict at \(world.paths[path])")
      makeCopy(of: path, on: device, world)
    }
    let arrival = style.deliver(
      value, modified: theirs.modified, to: path, on: device, revision: 0, number: number, in: world
    )
    if let arrival {
      arrivals[device.place].append(PeerArrival(arrival: arrival, entry: merged))
    } else {
      note(path, device.place, merged)
    }
  }

  /// Renames the loser, if a copy is wanted, and drops the oldest copies beyond the bound.
  private func makeCopy(of path: Int, on device: Device, _ world: World) {
    guard style.mostCopies != 0 else { return }
    if case .copy = world.paths[path] { return }
    world.copies += 1
    world.rename(path, to: world.path(.copy(world.copies)), on: device)
    guard let most = style.mostCopies else { return }
    let copies = world.databasePaths.filter { path in
      if case .copy = world.paths[path] { device.folder[path] != nil } else { false }
    }
    for old in copies.dropLast(most) { world.put(nil, at: old, on: device) }
  }

  mutating func completeArrival(on device: Device, _ number: Int, in world: World) -> Bool {
    guard !arrivals[device.place].isEmpty else { return false }
    let place = number % arrivals[device.place].count
    let coming = arrivals[device.place].remove(at: place)
    if style.complete(coming.arrival, on: device, in: world) {
      note(coming.arrival.path, device.place, coming.entry)
    }
    return true
  }

  /// No older form is ever delivered; somebody puts what the device says of itself back from a backup.
  mutating func repeatDelivery(to device: Device, _ number: Int, in world: World) {
    guard let path = world.pathNumber(.record(device.identity)), device.folder[path] != nil else {
      return
    }
    let older = world.records.indices.filter { world.records[$0].identity == device.identity }
    world.put(world.newFile(older[number % older.count], on: device), at: path, on: device)
  }

  mutating func resurrect(_ number: Int, on device: Device, in world: World) {
    let gone = pick(indices[device.place].count, number) { path in
      indices[device.place][path].map { $0.value == nil } ?? false
    }
    // The device puts back what it had: a file that was away, or from its backup.
    guard let path = gone, device.folder[path] == nil,
      let last = device.lastFiles[path]
    else { return }
    let file = world.newFile(last.value, on: device, modified: last.modified)
    world.put(file, at: path, on: device)
  }

  mutating func clone(_ other: Device, to device: Device) {
    indices[device.place] = indices[other.place]
    arrivals[device.place] = arrivals[other.place]
  }

  mutating func evict(_ number: Int, from device: Device, in world: World) {}
}

/// A service with one place in the middle: a server, or the far side of rsync, Unison or rclone.
struct HubService: Service {
  let style: ServiceStyle
  private var hub: [Entry?] = []
  /// For each device, what it and the hub last had in common.
  private var common: [[Common?]]
  private var arrivals: [[Arrival]]
  private var revision = 0
  /// Copies that stay on the device on which they were made.
  private var unshared: Set<Int> = []

  private struct Form {
    var revision: Int
    /// nil: removed.
    var value: Int?
    var modified: Int64
  }

  private struct Entry {
    var forms: [Form]

    var last: Form { forms[forms.count - 1] }
  }

  private struct Common {
    var revision: Int
    var value: Int?
  }

  init(_ style: ServiceStyle, devices: Int) {
    self.style = style
    common = Array(repeating: [], count: devices)
    arrivals = Array(repeating: [], count: devices)
  }

  private func isArriving(_ path: Int, _ device: Device) -> Bool {
    arrivals[device.place].contains { $0.path == path }
  }

  private func last(_ path: Int) -> Form? { path < hub.count ? hub[path]?.last : nil }

  private func known(_ path: Int, _ device: Device) -> Common? {
    let list = common[device.place]
    return path < list.count ? list[path] : nil
  }

  private mutating func note(_ path: Int, _ device: Device, _ revision: Int, _ value: Int?) {
    let missing = path + 1 - common[device.place].count
    if missing > 0 { common[device.place] += [Common?](repeating: nil, count: missing) }
    common[device.place][path] = Common(revision: revision, value: value)
  }

  private mutating func store(_ path: Int, _ value: Int?, _ modified: Int64) -> Int {
    if path >= hub.count { hub += [Entry?](repeating: nil, count: path + 1 - hub.count) }
    revision += 1
    let form = Form(revision: revision, value: value, modified: modified)
    hub[path, default: Entry(forms: [])].forms.append(form)
    return revision
  }

  /// The first path from a place on, and around, that a condition picks.
  private func pick(_ count: Int, _ number: Int, _ condition: (Int) -> Bool) -> Int? {
    guard count > 0 else { return nil }
    let start = style.isOrderly ? 0 : number % count
    return (start..<count).first(where: condition) ?? (0..<start).first(where: condition)
  }
}

/// From the device to the hub.
extension HubService {
  mutating func takeChange(of device: Device, _ number: Int, in world: World) -> Bool {
    guard !device.isCut else { return false }
    let changed = pick(world.paths.count, number) { [self] in isChanged($0, device, world) }
    guard let path = changed else { return false }
    let hub = last(path)
    let base = known(path, device)
    guard let file = device.folder[path] else {
      remove(path, device, hub, base)
      return true
    }
    if let hub, hub.value == file.value {
      note(path, device, hub.revision, hub.value)
    } else if hub == nil || hub?.revision == base?.revision || hub?.value == nil
      || overwrites(path, file, hub, world)
    {
      let revision = store(path, file.value, file.modified)
      note(path, device, revision, file.value)
      world.tell(.uploaded, device, path, file.value)
      world.explain(device, "gives \(world.paths[path]) = \(file.value)")
    } else if let hub {
      return resolve(path, file, hub, device, number, world)
    }
    return true
  }

  private func isChanged(_ path: Int, _ device: Device, _ world: World) -> Bool {
    if case .staging = world.paths[path] { return false }
    if unshared.contains(path) || isArriving(path, device) { return false }
    let base = known(path, device)
    guard let file = device.folder[path] else { return base?.value != nil }
    if file.isPiece || file.isPlaceholder || file.value == base?.value { return false }
    return !isSkipped(path, file, base, world)
  }

  /// Some services leave two sides as they are when both have changed.
  private func isSkipped(_ path: Int, _ file: File, _ base: Common?, _ world: World) -> Bool {
    guard style.winner == .nobody, !style.makesCopies, style.kind != .blind, let hub = last(path),
      hub.value != nil, !world.paths[path].isCompanion
    else { return false }
    return hub.revision != base?.revision && hub.value != file.value
  }

  /// Services that look at no history take whatever is there; files of one writer go by their time.
  private func overwrites(_ path: Int, _ file: File, _ hub: Form?, _ world: World) -> Bool {
    guard let hub else { return true }
    if world.paths[path].isCompanion { return file.modified > hub.modified }
    return style.kind == .blind
  }

  private mutating func remove(_ path: Int, _ device: Device, _ hub: Form?, _ base: Common?) {
    guard let hub, hub.value != nil, style.sharesRemovals, hub.revision == base?.revision else {
      // A file that changed elsewhere comes back; a file that is not shared is forgotten.
      note(path, device, hub?.revision == base?.revision ? hub?.revision ?? 0 : -1, nil)
      return
    }
    let revision = store(path, nil, hub.modified)
    note(path, device, revision, nil)
  }

  /// Two sides have changed a file.
  private mutating func resolve(
    _ path: Int, _ file: File, _ hub: Form, _ device: Device, _ number: Int, _ world: World
  ) -> Bool {
    guard !world.paths[path].isCompanion else {
      // One writer only: the later form wins, and a service's copy of the other one is ignored.
      return receive(path, hub, device, number, world)
    }
    world.tell(.conflicted, device, path, file.value)
    world.explain(device, "conflict at \(world.paths[path])")
    switch style.winner {
    case .nobody:
      setAside(path, device, world)
      if let value = hub.value { _ = store(newCopy(world), value, hub.modified) }
      note(path, device, store(path, nil, hub.modified), nil)
    case .newer where file.modified > hub.modified:
      if style.makesCopies, let value = hub.value {
        _ = store(newCopy(world), value, hub.modified)
      }
      note(path, device, store(path, file.value, file.modified), file.value)
    case .service, .newer:
      if style.makesCopies {
        setAside(path, device, world)
      } else {
        world.put(nil, at: path, on: device)
      }
      return receive(path, hub, device, number, world)
    }
    return true
  }

  /// Renames the losing file; it stays the same file for programs that have it open.
  private mutating func setAside(_ path: Int, _ device: Device, _ world: World) {
    let copy = newCopy(world)
    if !style.sharesCopies { unshared.insert(copy) }
    world.rename(path, to: copy, on: device)
  }

  private func newCopy(_ world: World) -> Int {
    world.copies += 1
    return world.path(.copy(world.copies))
  }
}

/// From the hub to the device.
extension HubService {
  mutating func bringChange(to device: Device, _ number: Int, in world: World) -> Bool {
    guard !device.isCut else { return false }
    let due = pick(hub.count, number) { [self] in isDue($0, device, world) }
    guard let path = due, let form = last(path) else { return false }
    return receive(path, form, device, number, world)
  }

  private func isDue(_ path: Int, _ device: Device, _ world: World) -> Bool {
    guard let form = last(path), !isArriving(path, device) else { return false }
    let base = known(path, device)
    guard form.revision > base?.revision ?? -1 else { return false }
    if base == nil && form.value == nil { return false }
    let file = device.folder[path]
    // A file that was changed here too is a conflict, which the upload finds.
    if style.kind == .blind, !world.paths[path].isCompanion { return true }
    return file?.value == base?.value || file == nil && form.value != nil
  }

  private mutating func receive(
    _ path: Int, _ form: Form, _ device: Device, _ number: Int, _ world: World
  ) -> Bool {
    guard let value = form.value else {
      note(path, device, form.revision, nil)
      if style.sharesRemovals { world.put(nil, at: path, on: device) }
      return true
    }
    if let file = device.folder[path], file.value == value, !file.isPiece {
      note(path, device, form.revision, value)
      return true
    }
    let arrival = style.deliver(
      value, modified: form.modified, to: path, on: device, revision: form.revision,
      number: number, in: world)
    if let arrival {
      arrivals[device.place].append(arrival)
    } else {
      note(path, device, form.revision, value)
    }
    return true
  }

  mutating func completeArrival(on device: Device, _ number: Int, in world: World) -> Bool {
    guard !arrivals[device.place].isEmpty else { return false }
    let place = number % arrivals[device.place].count
    let arrival = arrivals[device.place].remove(at: place)
    if style.complete(arrival, on: device, in: world) {
      note(arrival.path, device, arrival.revision, arrival.value)
    }
    return true
  }
}

/// Faults of the service.
extension HubService {
  mutating func repeatDelivery(to device: Device, _ number: Int, in world: World) {
    // Mostly the database, now and then what the device says of itself, or anything.
    let path: Int? =
      switch number % 6 {
      case 0: pick(hub.count, number / 6) { hub[$0] != nil }
      case 1, 2: world.pathNumber(.record(device.identity))
      default: World.live
      }
    guard !device.isCut, let path, path < hub.count, let entry = hub[path],
      !isArriving(path, device), let file = device.folder[path],
      file.value == known(path, device)?.value
    else { return }
    let form = entry.forms[number / 7 % entry.forms.count]
    guard form.value != nil else { return }
    _ = receive(path, form, device, number, world)
  }

  mutating func resurrect(_ number: Int, on device: Device, in world: World) {
    let gone = pick(hub.count, number) { hub[$0].map { $0.last.value == nil } ?? false }
    guard let path = gone, let form = hub[path]?.forms.last(where: { $0.value != nil }) else {
      return
    }
    _ = store(path, form.value, form.modified)
  }

  mutating func clone(_ other: Device, to device: Device) {
    common[device.place] = common[other.place]
    arrivals[device.place] = arrivals[other.place]
  }

  mutating func evict(_ number: Int, from device: Device, in world: World) {
    guard style.kind == .placeholder, !device.isCut, !device.isCommitting else { return }
    let clean = pick(world.paths.count, number) { path in
      guard let file = device.folder[path], !isArriving(path, device) else { return false }
      return !file.isPlaceholder && !file.isPiece && file.value == known(path, device)?.value
    }
    guard let path = clean, var file = device.folder[path] else { return }
    file.isPlaceholder = true
    world.put(file, at: path, on: device)
    arrivals[device.place].append(
      Arrival(
        path: path, value: file.value, modified: file.modified, inode: file.inode,
        revision: known(path, device)?.revision ?? 0))
  }
}

extension Array {
  /// The element at a place whose optional is filled when it is missing.
  fileprivate subscript<Wrapped>(
    place: Int, default value: @autoclosure () -> Wrapped
  ) -> Wrapped where Element == Wrapped? {
    get { self[place] ?? value() }
    set { self[place] = newValue }
  }
}

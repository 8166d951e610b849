import OpenWO
import OpenWOHistory

/// The moves of a run.
extension World {
  /// All devices have the folder, and one of them has made the store.
  func start() {
    _ = path(.live)
    let first = pool.add(Rows())
    for place in 0..<scenario.devices {
      devices.append(Device(place: place, identity: place))
      identities += 1
    }
    let maker = devices[0]
    put(newFile(first, on: maker), at: Self.live, on: maker)
    maker.operation = Operation([.look])
    finish(maker)
    time += 3000
    maker.operation = Operation([.look])
    finish(maker)
    _ = drain()
  }

  /// Does a move and checks what must hold after it.
  func apply(_ move: Move) {
    guard violation == nil else { return }
    let device = devices[Int(move.device) % devices.count]
    time += 1
    let number = Int(move.number)
    tell(.move, device, Int(move.kind.rawValue), number)
    explain(device, "MOVE \(move.kind) \(number)")
    switch move.kind {
    case .step: step(device)
    case .finish: finish(device)
    case .write, .reconcile, .restore, .lock, .unlock, .discard:
      device.operation == nil ? begin(move.kind, number, device) : step(device)
    case .force: force(number, device)
    case .edit, .take, .give, .putBack, .delete: outside(move.kind, number, device)
    case .crash, .forget, .clone: disaster(move.kind, number, device)
    case .clock: setClock(number, device)
    case .tick: time += [1, 20, 300, 1000, 1000, 2500, 6000, 70_000][number % 8]
    case .cut: device.isCut.toggle()
    case .up: _ = service.takeChange(of: device, number, in: self)
    case .down: _ = service.bringChange(to: device, number, in: self)
    case .arrive: _ = service.completeArrival(on: device, number, in: self)
    case .repeated: service.repeatDelivery(to: device, number, in: self)
    case .resurrect: service.resurrect(number, on: device, in: self)
    case .evict: service.evict(number, from: device, in: self)
    }
    check(device)
  }

  /// Does all that openwo is doing, to its end.
  func finish(_ device: Device) {
    for _ in 0..<5000 where violation == nil {
      guard device.operation != nil else { return }
      step(device)
    }
    if device.operation != nil { violate(.progress, "\(device.id) never ends what it does") }
  }

  private func begin(_ kind: Move.Kind, _ number: Int, _ device: Device) {
    let steps: [Operation.Step] =
      switch kind {
      case .write: [.begin, .look]
      case .restore: [.makeRestore(number), .look]
      case .lock: [.holdLock, .startLock, .askLock, .look]
      case .unlock: [.checkpoint(discard: false)]
      case .discard: [.checkpoint(discard: true)]
      default: [.look]
      }
    if kind == .unlock || kind == .discard, ownLock(device) == nil { return }
    let operation = Operation(steps)
    operation.row = number
    device.operation = operation
  }

  private func setClock(_ number: Int, _ device: Device) {
    let second: Int64 = 1000
    let day = 86_400 * second
    let skews = [0, 20, -20, 240, -240].map { $0 * second } + [day, -day, 3650 * day, -3650 * day]
    let skew = skews[number % skews.count]
    if skew < device.skew { hasSetBack = true }
    device.skew = skew
    if device.skew != 0 { isBlurred = true }
  }
}

/// Other programs and people at the live file.
extension World {
  private func outside(_ kind: Move.Kind, _ number: Int, _ device: Device) {
    switch kind {
    case .edit: edit(number, device)
    case .take: take(number, device)
    case .give: give(device)
    case .putBack: putBack(number, device)
    case .delete:
      guard !device.isExclusive, device.tool == nil, !device.isTransacting else { return }
      if number % 2 == 0 { hasLostFiles = true }
      put(nil, at: Self.live, on: device)
      hasLostFiles = true
    default: break
    }
  }

  /// The live file, if a program that respects SQLite's locks may write to it now.
  private func writable(_ device: Device) -> File? {
    guard let live = device.folder[Self.live], !live.isPlaceholder, pool[live.value].isWhole,
      !device.isExclusive, !device.isTransacting, device.tool == nil, rowCount < Rows.limit
    else { return nil }
    return live
  }

  private func edit(_ number: Int, _ device: Device) {
    guard let live = writable(device) else { return }
    let content = addRow(to: live, on: device)
    // Most programs write through SQLite; some save a new file over the old one.
    if number % 8 == 0 {
      put(newFile(content, on: device), at: Self.live, on: device)
    } else {
      overwrite(content, at: Self.live, on: device)
    }
  }

  /// One more row, and with it those of the file's log.
  private func addRow(to file: File, on device: Device, isLogged: Bool = false) -> Int {
    var rows = rows(of: file, on: device)
    if device.log?.inode == file.inode { device.log = nil }
    rows.insert(rowCount)
    editRows.formUnion(rows)
    if time <= aheadUntil { isBlurred = true }
    rowCount += 1
    hasEditedOutside = true
    return pool.add(
      rows, isLogged: isLogged || pool[file.value].isLogged, from: [file.value])
  }

  /// The rows that SQLite finds in a file and beside it.
  private func rows(of file: File, on device: Device) -> Rows {
    let rows = pool[file.value].rows
    guard let log = device.log, log.inode == file.inode else { return rows }
    return rows.union(log.rows)
  }

  private func take(_ number: Int, _ device: Device) {
    guard let live = writable(device) else { return }
    let modes = Device.Tool.Mode.allCases
    device.tool = Device.Tool(inode: live.inode, mode: modes[number % modes.count])
  }

  /// The program commits into the file that it opened, whatever its name is by now.
  func give(_ device: Device) {
    guard let tool = device.tool else { return }
    device.tool = nil
    guard rowCount < Rows.limit, let path = path(ofInode: tool.inode, on: device),
      let file = device.folder[path], pool[file.value].isWhole, !file.isPlaceholder
    else { return }
    guard tool.mode == .leavesLog, path == Self.live else {
      let content = addRow(to: file, on: device, isLogged: tool.mode != .exclusive)
      return overwrite(content, at: path, on: device)
    }
    // It is killed: the file says that it is in WAL mode, and the row is not in it.
    var all = rows(of: file, on: device)
    all.insert(rowCount)
    if time <= aheadUntil { isBlurred = true }
    rowCount += 1
    hasEditedOutside = true
    let marked = pool.add(pool[file.value].rows, isLogged: true, from: [file.value])
    overwrite(marked, at: path, on: device)
    device.log = Device.Log(inode: file.inode, rows: all)
  }

  private func putBack(_ number: Int, _ device: Device) {
    guard writable(device) != nil, !versions.isEmpty, !device.isCommitting else { return }
    (hasRestored, hasPutBack) = (true, true)
    device.log = nil
    let content = content(versions[number % versions.count])
    let modified = number % 2 == 0 ? nil : now(device) - 100_000
    overwrite(content, at: Self.live, on: device, modified: modified)
  }
}

/// Events that hit a device.
extension World {
  private func disaster(_ kind: Move.Kind, _ number: Int, _ device: Device) {
    tell(.crashed, device, Int(kind.rawValue))
    device.operation = nil
    device.folded = nil
    device.isExclusive = false
    if number % 3 == 0 { device.tool = nil }
    switch kind {
    case .forget:
      loseState(device)
    case .clone:
      let other = devices[(device.place + 1 + number % (devices.count - 1)) % devices.count]
      if other !== device { clone(other, to: device) }
    default: break
    }
  }

  /// The state folder is gone: what was acknowledged and not yet published is out of anybody's reach.
  private func loseState(_ device: Device) {
    device.known = nil
    device.pending = []
    device.aside = []
    (device.said, device.ended) = ([], [])
    device.hasMetOthers = false
    device.ownLock = nil
    takeNewIdentity(device)
    forgive(device)
    hasLostFiles = true
  }

  private func forgive(_ device: Device) {
    device.isGraphStale = true
    refreshGraph(device)
    let lost = device.acknowledged.subtracting(device.historyRows)
    device.acknowledged = device.acknowledged.subtracting(lost)
  }

  /// The device's disk is overwritten by another one's; openwo notices that the machine is another.
  private func clone(_ other: Device, to device: Device) {
    device.folder = other.folder
    device.pending = other.pending
    device.hasMetOthers = other.hasMetOthers
    device.aside = other.aside
    device.known = nil
    (device.said, device.ended) = ([], [])
    device.lastFiles = other.lastFiles
    device.ownLock = nil
    device.tool = nil
    device.log = other.log
    device.acknowledged = other.acknowledged
    if fault == .cloneKeepsIdentity {
      device.identity = other.identity
    } else {
      takeNewIdentity(device)
    }
    service.clone(other, to: device)
    device.isGraphStale = true
    forgive(device)
    hasLostFiles = true
  }

  private func takeNewIdentity(_ device: Device) {
    device.identity = identities
    identities += 1
  }
}

import OpenWO
import OpenWOHistory

/// The model of the version detector.
extension World {
  /// A younger staging file may still be in use by its writer.
  static let stagingAge: Int64 = 60_000

  /// The device's current view of the folder.
  func sight(_ device: Device) -> Sighting {
    refreshGraph(device)
    let lock = lockBoard(device).effective
    let now = Timestamp(milliseconds: now(device))
    var seen = Sighting(
      device: device.id, now: now,
      live: lock.map { live(device, under: $0) } ?? live(device), graph: device.graph)
    seen.current = device.known?.version
    if lock == nil, let file = device.folder[Self.live] {
      seen.isSameFile = device.known?.inode == file.inode
    }
    if lock != nil, let file = device.folder[Self.live] {
      seen.isUntouched = device.known?.stamp == file.stamp
    }
    seen.hasPending = !device.pending.isEmpty
    seen.isAlone = isAlone(device)
    seen.lock = lock.map { sight($0, device) }
    if lock == nil { seen.copies = copies(device) }
    seen.incomplete = device.incomplete
    for id in device.sources {
      if let path = pathIfKnown(ofVersion: id), let file = device.folder[path] {
        seen.arrivals[id] = Timestamp(milliseconds: file.changed)
      }
    }
    return fault?.changed(seen, device, self) ?? seen
  }

  private func sight(_ lock: StoreLock, _ device: Device) -> Sighting.LockInSight {
    Sighting.LockInSight(
      lock: lock, isOurs: lock.device == device.id,
      isAcknowledged: ownRecord(device)?.acknowledged.contains(lock.id) ?? false)
  }

  private func live(_ device: Device) -> Sighting.Live {
    guard let file = device.folder[Self.live] else {
      return .missing(since: Timestamp(milliseconds: device.folder.changed))
    }
    if file.isPlaceholder { return .unreadable(.unusable("it is not downloaded")) }
    if device.tool != nil { return .unreadable(.busy) }
    let changed = Timestamp(milliseconds: file.changed)
    if let known = device.known, known.stamp == file.stamp {
      return .whole(pool[known.content].hash, changedAt: changed)
    }
    if pool[file.value].isLogged { return .writeAheadLog(changedAt: changed) }
    guard pool[file.value].isWhole || fault == .adoptsTorn else {
      return .doubtful("it is torn", changedAt: changed)
    }
    return .whole(pool[file.value].hash, changedAt: changed)
  }

  /// The live file under a lock: only what a program wrote here in place is looked into.
  private func live(_ device: Device, under lock: StoreLock) -> Sighting.Live {
    guard let file = device.folder[Self.live] else {
      return .missing(since: Timestamp(milliseconds: now(device)))
    }
    if let known = device.known, known.stamp == file.stamp {
      return .whole(pool[known.content].hash, changedAt: Timestamp(milliseconds: file.changed))
    }
    if lock.device == device.id { return .unreadable(.ownLock) }
    guard isWrittenInPlace(file, device) else { return .unreadable(.delivered) }
    let live = live(device)
    guard case .writeAheadLog(let changed) = live else { return live }
    // The pool grows by this, so it is asked afterwards.
    let content = contentWithLog(file, device)
    return .whole(pool[content].hash, changedAt: changed)
  }

  /// Whether some program wrote into the file that was known here, and no service set its time.
  func isWrittenInPlace(_ file: File, _ device: Device) -> Bool {
    device.known?.inode == file.inode && file.modified == file.changed
  }

  /// The content of a file in WAL mode together with its log; for any other file its own content.
  func contentWithLog(_ file: File, _ device: Device) -> Int {
    guard pool[file.value].isLogged else { return file.value }
    let rows = device.log.flatMap { $0.inode == file.inode ? $0.rows : nil }
    guard let rows else { return pool.fold(file.value, nil) }
    // A copy that is folded comes out the same however often it is made.
    let key = LoggedContent(value: file.value, rows: rows)
    if let known = loggedContents[key] { return known }
    let content = pool.fold(file.value, rows)
    loggedContents[key] = content
    return content
  }

  private func copies(_ device: Device) -> [Sighting.Copy] {
    databasePaths.compactMap { path in
      guard path != Self.live, let file = device.folder[path], let name = pathNames[path],
        !file.isPlaceholder
      else { return nil }
      let isStaging = if case .staging = paths[path] { true } else { false }
      let changed = file.changed
      if isStaging && changed + Self.stagingAge > now(device) && changed <= now(device) {
        return nil
      }
      return Sighting.Copy(
        file: name, content: pool[file.value].isWhole ? pool[file.value].hash : nil,
        changedAt: Timestamp(milliseconds: changed),
        modifiedAt: Timestamp(milliseconds: file.modified),
        origin: isStaging ? .staging : scenario.hasPersonalNames ? .perhapsPerson : .service)
    }
  }

  /// The known version that a content was made from, as far as its pages tell.
  func base(_ file: File, _ device: Device) -> VersionID? {
    guard scenario.pagesTell else { return nil }
    let rows = pool[file.value].rows
    // A content that was made from the file counts more commits. If two share as many pages, the
    // older one is taken: a change of the mode alone is never nearer than its parent.
    let nearest = device.graph.versions.map { (version: $0, content: content($0)) }
      .filter {
        pool[$0.content].rows.isSubset(of: rows) && pool.isPast(file.value, $0.content)
          && (pool.hasOwnRows($0.content) || !pool[$0.content].isLogged)
      }
      .max {
        let (first, second) = (pool[$0.content].rows.count, pool[$1.content].rows.count)
        return (first, $1.content, $1.version.id) < (second, $0.content, $0.version.id)
      }
    return nearest?.version.id
  }

  func isAlone(_ device: Device) -> Bool {
    if device.hasMetOthers { return false }
    device.hasMetOthers =
      !device.graph.versions.allSatisfy { $0.isDerived || $0.device == device.id }
      || !readableRecords(device).allSatisfy { $0.identity == device.identity }
    return !device.hasMetOthers && device.graph.missingParents.isEmpty
  }
}

/// The files of the companion.
extension World {
  func pathIfKnown(ofVersion id: VersionID) -> Int? {
    number(id).flatMap { publishedPath[$0] }
  }

  func isReadable(_ file: File?) -> Bool {
    file.map { !$0.isPiece && !$0.isPlaceholder } ?? false
  }

  func readableRecords(_ device: Device) -> [Record] {
    recordPaths.compactMap { path in
      guard let file = device.folder[path], isReadable(file) else { return nil }
      return records[file.value]
    }
  }

  func ownRecord(_ device: Device) -> Record? {
    readableRecords(device).first { $0.identity == device.identity }
  }

  func lockBoard(_ device: Device) -> LockBoard {
    let standing: [StoreLock] = lockPaths.compactMap { path in
      guard let file = device.folder[path], isReadable(file) else { return nil }
      return locks[file.value]
    }
    guard !standing.isEmpty else {
      return LockBoard([], revoked: [], device: device.id, now: .init(milliseconds: 0))
    }
    let said = fault == .forgetsItsWords ? [] : device.said
    let revoked = fault == .force ? [] : Set(readableRecords(device).flatMap(\.revoked) + said)
    return LockBoard(
      standing, revoked: revoked, device: device.id, now: Timestamp(milliseconds: now(device)))
  }

  /// Lists the versions again if any came or went.
  func refreshGraph(_ device: Device) {
    guard device.isGraphStale else { return }
    device.isGraphStale = false
    device.visible = []
    device.full = []
    var present: Set<Int> = []
    for path in versionPaths {
      guard let file = device.folder[path] else { continue }
      present.insert(file.value)
      guard isReadable(file) else { continue }
      device.visible.insert(file.value)
      if case .full = paths[path] { device.full.insert(file.value) }
    }
    device.graph = VersionGraph(device.visible.union(device.pending).map { versions[$0] })
    device.held = heldContents(device)
    device.incomplete = Set(
      device.graph.versions.filter { !device.held.contains(content($0)) }.map(\.id))
    let heads = device.graph.heads.map(\.id)
    device.sources = heads.reduce(into: Set(heads)) { $0.formUnion(device.graph.origins(of: $1)) }
    device.historyRows = present.union(device.pending).reduce(Rows()) {
      $0.union(pool[contentNumbers[$1]].rows)
    }
  }

  /// Whether a content is in the versions of a device, downloaded or not.
  func exists(_ content: Int, _ device: Device, depth: Int = 0) -> Bool {
    guard depth < 64 else { return false }
    let files = versionPaths.lazy.filter { device.folder[$0] != nil }.map { self.paths[$0] }
    let names = files + device.pending.map(Path.version)
    return names.contains { path in
      switch path {
      case .full(let number): self.content(versions[number]) == content
      case .version(let number):
        self.content(versions[number]) == content
          && (bases[number].map { $0 != content && exists($0, device, depth: depth + 1) } ?? true)
      default: false
      }
    }
  }

  /// Whether a content can be put together from the version files that are here.
  func holds(_ content: Int, _ device: Device) -> Bool {
    refreshGraph(device)
    return device.held.contains(content)
  }

  /// Goes up from the versions that are here in full.
  private func heldContents(_ device: Device) -> Set<Int> {
    var held: Set<Int> = []
    var waiting: [(content: Int, base: Int)] = []
    for number in device.visible.union(device.pending) {
      if let base = bases[number], !device.full.contains(number) {
        waiting.append((contentNumbers[number], base))
      } else {
        held.insert(contentNumbers[number])
      }
    }
    var grows = true
    while grows {
      let before = held.count
      for (content, base) in waiting where held.contains(base) { held.insert(content) }
      grows = held.count > before
    }
    return held
  }
}

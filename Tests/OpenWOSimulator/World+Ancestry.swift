import OpenWO
import OpenWOHistory

/// Asks the product's ancestry table what a content was made from; the evidence is what this world
/// knows of rows, pages and times.
extension World {
  /// What the table decided.
  struct Origins {
    /// The versions that the content follows from; none for a rival.
    var parents: [VersionID] = []
    /// The reason, if the table knows it.
    var reason: VersionReason?
    /// Whether the parents count only because no other device is known.
    var isTrusted = false
  }

  /// Where the content of a file came from.
  func origins(_ place: ForeignContent.Place, _ file: File, _ device: Device) -> Origins {
    var content = ForeignContent(place)
    content.evidence.isAsRecorded = device.known?.stamp == file.stamp
    content.evidence.isWrittenInPlace = isWritten(file, device)
    let table = AncestryTable(graph: device.graph, current: device.known?.version)
    while true {
      switch table.decide(content) {
      case .rival:
        return Origins(parents: fault == .guessesParents ? family(device) : [])
      case .child(let parents, let reason, let rule):
        return Origins(
          parents: parents, reason: reason,
          isTrusted: [.onlyWriterInPlace, .onlyWriterElsewhere, .firstEdit].contains(rule))
      case .needs(let part): gather(part, file, device, into: &content.evidence)
      }
    }
  }

  /// Whether a local program wrote into the recorded file; a service sets the file's time.
  private func isWritten(_ file: File, _ device: Device) -> Bool {
    let times = device.folded?.after == file.stamp ? device.folded?.before ?? file : file
    return fault == .ignoresFileIdentity
      || device.known?.inode == file.inode && times.modified == times.changed
  }

  private func gather(
    _ part: Evidence.Part, _ file: File, _ device: Device, into evidence: inout Evidence
  ) {
    switch part {
    case .twin:
      evidence.twin = .init(device.graph.latest(content: pool[file.value].hash)?.id)
    case .pages: evidence.pages = pages(file, device)
    case .peers: evidence.isAlone = isAlone(device)
    case .rows(let id): evidence.carries[id] = carries(id, file, device)
    case .share(let id): evidence.carriesMost[id] = carriesMost(id, file, device)
    case .otherSide(let id):
      evidence.otherSide = .init(otherSide(than: id, file, device))
    case .search: evidence.search = .init(base(file, device))
    case .closest: evidence.closest = .init(closest(to: file, device))
    }
  }

  /// The version whose rows differ least, of those of which most rows are there and nothing is undone; of
  /// several the first one.
  private func closest(to file: File, _ device: Device) -> VersionID? {
    let found = pool[file.value].rows
    var (closest, least): (VersionID?, Int) = (nil, .max)
    for version in device.graph.newestFirst.reversed() where holds(content(version), device) {
      let rows = pool[content(version)].rows
      let distance = rows.subtracting(found).count + found.subtracting(rows).count
      guard rows.subtracting(found).count * 2 <= rows.count, rows.count > 0, distance < least,
        version.reason == .create || carriesMost(version.id, file, device)
      else { continue }
      (closest, least) = (version.id, distance)
    }
    return closest
  }

  private func pages(_ file: File, _ device: Device) -> Evidence.Pages {
    var pages = Evidence.Pages()
    pages.base = base(file, device)
    pages.sharesMost = pages.base != nil
    if let known = device.known.flatMap({ device.graph[$0.version] }) {
      pages.mayFollowCurrent =
        holds(content(known), device) && pool.isPast(file.value, content(known))
    }
    return pages
  }

  private func carries(_ id: VersionID, _ file: File, _ device: Device) -> Bool {
    guard let version = device.graph[id], holds(content(version), device) else { return false }
    return pool[content(version)].rows.isSubset(of: pool[file.value].rows)
  }

  private func otherSide(than current: VersionID, _ file: File, _ device: Device) -> VersionID? {
    func undone(_ id: VersionID) -> Int? {
      guard let version = device.graph[id], holds(content(version), device) else { return nil }
      let (rows, found) = (pool[content(version)].rows, pool[file.value].rows)
      let missing = rows.subtracting(found).count
      return id == current || rows.count > missing && missing * 2 <= rows.count ? missing : nil
    }
    var (nearest, least): (VersionID?, Int) = (nil, undone(current) ?? 0)
    for head in device.graph.heads.map(\.id)
    where !device.graph.isAncestor(current, of: head) && !device.graph.isAncestor(head, of: current)
    {
      if let rows = undone(head), rows < least { (nearest, least) = (head, rows) }
    }
    return nearest
  }

  private func carriesMost(_ id: VersionID, _ file: File, _ device: Device) -> Bool {
    guard let version = device.graph[id], holds(content(version), device) else { return false }
    let (rows, found) = (pool[content(version)].rows, pool[file.value].rows)
    // All rows of a version that follows from nothing are its own, but for the store's first one.
    let isOwn = version.parents.isEmpty && version.reason != .create
    guard !isOwn || rows.isSubset(of: found) else { return false }
    // The changes that a merge took from each of its parents count.
    let isKept = version.parents.compactMap { device.graph[$0] }.allSatisfy { parent in
      rows.subtracting(pool[content(parent)].rows).isSubset(of: found)
    }
    return isKept && rows.subtracting(found).count * 2 <= rows.count
  }
}

import OpenWO
import OpenWOHistory
import OpenWOTestSupport

/// Files that travel without a version, such as conflict copies: several devices may capture one.
extension MergeWorld {
  /// A program changes a copy of a device's database; the device may capture that, too, and only it knows that it was written there.
  func leave(_ place: Int) throws {
    let base = devices[place].current
    guard let (file, script) = try change(place) else { return }
    let facts = try store(file)
    left.append((facts, base))
    tell("\(devices[place].name) leaves a file made from \(base.id.short): \(script)")
    if random.chance(percent: 40) { try capture(facts, place, script) }
  }

  /// A device captures the files that it finds whose origin it knows, unless it has a version of their content.
  func find(_ place: Int) throws {
    for (facts, base) in left {
      let device = devices[place]
      let graph = graph(device)
      guard device.known.contains(base.id), graph.hasAllAncestors(of: base),
        !graph.versions.contains(where: { $0.content == facts.hash })
      else { continue }
      let made = try keep(
        facts, parents: family(of: base, on: device), device: device.name,
        reason: hidesFinds ? .write : .external, members: hidesFinds ? [] : [Version.delivered])
      devices[place].known.insert(made.id)
      tell("\(device.name) finds \(made.id.short), made from \(base.id.short)")
    }
  }
}

import OpenWOFiles
import OpenWOHistory

/// The other devices, their clocks, and what interrupted processes left.
extension Doctor {
  /// A device that was not seen for this time, in seconds, may be gone.
  private static var longAway: Int64 { 180 * 24 * 3600 }

  /// Versions that vanished from the folder and that this device has kept.
  func checkVanished() throws -> [Finding] {
    guard let gone = try store.versions.vanished(store.versions.listed(), now: store.now),
      !gone.versions.isEmpty
    else { return [] }
    let count = gone.versions.count
    return [
      Finding(
        .warning, "vanished",
        "\(count == 1 ? "a version is" : "\(count) versions are") gone from the folder; this "
          + "device has kept \(count == 1 ? "it" : "them")",
        advice: paths.next("put \(count == 1 ? "it" : "them") back", .sync))
    ]
  }

  /// Devices whose clock is ahead of ours, and what this one wrote while its own was.
  func checkClocks() throws -> [Finding] {
    let now = store.clock.now()
    let limit = store.now.advanced(bySeconds: 300)
    // A version that every device makes alike has no device's clock.
    let stamps = try store.versions.listed().graph.versions.filter {
      $0.at.isAhead(of: now) && !$0.isDerived
    }.map { ($0.device, $0.deviceName, $0.madeAt) }
    let seen = try store.coordinator.readableDevices().records.filter { $0.lastSeen > limit }.map {
      ($0.id, $0.name, $0.lastSeen)
    }
    let latest = Dictionary(grouping: stamps + seen, by: \.0).compactMap { id, all in
      all.max { $0.2 < $1.2 }.map { (id: id, name: $0.1, moment: $0.2) }
    }
    return latest.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { id, name, moment in
      let ahead = Self.span(moment.milliseconds.minus(now) / 1000)
      guard id != store.device.id else {
        return Finding(
          .info, "clock",
          "this device's clock was \(ahead) ahead once; until then its versions bear later times "
            + "than they have, in the right order")
      }
      return Finding(
        .warning, "clock",
        "the clock of \(String(printable: name.utf8)) is \(ahead) ahead of this device's",
        advice: Advice("set both clocks by the network; on Linux", .setClock), remedies: [.tryAgain]
      )
    }
  }

  private static func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// Devices that are perhaps gone for good: they are waited for in vain.
  func checkDevices() throws -> [Finding] {
    let limit = store.now.advanced(bySeconds: -Self.longAway)
    let others = try store.coordinator.readableDevices().records.filter { $0.id != store.device.id }
    return others.compactMap { other in
      let name = String(printable: other.name.utf8)
      if other.lastSeen < limit {
        return Finding(
          .info, "awayDevice",
          "\(name) was last seen on \(other.lastSeen.description.prefix(10))",
          advice: paths.next("if it is gone for good", .forgetDevice(other.id)))
      }
      guard other.name == store.device.name else { return nil }
      return Finding(
        .info, "sameName",
        "another device, \(other.id), is called \(name) too, as after the loss of a state folder",
        advice: paths.next("if that was this one before", .forgetDevice(other.id)))
    }
  }

  /// Files that an interrupted process of ours left.
  func checkLeftovers() throws -> [Finding] {
    let left = AbandonedFiles(store: store).all()
    guard !left.isEmpty else { return [] }
    return [
      Finding(
        .info, "leftovers",
        left.count == 1
          ? "an interrupted openwo left an unfinished file"
          : "an interrupted openwo left \(left.count) unfinished files",
        advice: paths.next("remove what it left", .repair))
    ]
  }
}

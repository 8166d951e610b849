import OpenWO
import OpenWOFiles
import OpenWOHistory

extension Verb {
  static let devices = Verb(
    name: "devices", group: .care, summary: "list the devices and which version each has",
    examples: ["openwo devices Training/openwo.sqlite"]
  ) { call in
    let store = try call.open()
    return Outcome(report: DevicesReport(devices: try store.devices()))
  }
}

/// What `devices` says.
struct DevicesReport: Report {
  let devices: [DeviceSummary]

  var members: [JSONMember] { [JSONMember("devices", .devices(devices))] }

  func lines(_ style: Style) -> [String] {
    var table = Table(["  device", "id", "version", "seen"])
    for device in devices {
      table.add([
        (device.isThisDevice ? "* " : "  ") + String(printable: device.name.utf8).cut(to: 24),
        device.id, device.head?.short ?? "", style.ago(device.lastSeen),
      ])
    }
    return table.lines(style)
  }
}

import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory

/// `openwo devices`.
struct DevicesVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the devices and which version each has.",
    examples: ["openwo devices Training/openwo.sqlite"]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
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

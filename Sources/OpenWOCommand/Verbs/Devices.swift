import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory

/// `openwo devices`.
struct DevicesVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the devices and which version each has.",
    details: """
      With --forget a device that is gone for good is not waited for any more: its file is
      removed from the companion folder, its versions stay. If it comes back, it is listed again.
      """,
    examples: ["openwo devices Training/openwo.sqlite", "openwo devices --forget old-laptop"]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Forget this device, named by its id or name.", valueName: "device"),
    completion: .devices)
  var forget: String?

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let store = try call.open()
    if let word = try call.text(forget, "forget") {
      let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
      let gone = try store.forget(device: word, dryRun: isDryRun)
      return Outcome(report: ForgottenReport(device: gone, isDone: !isDryRun))
    }
    return Outcome(report: DevicesReport(devices: try store.devices()))
  }
}

/// The report of `devices`.
struct DevicesReport: Report {
  let devices: [DeviceSummary]

  var members: [JSONMember] { [JSONMember("devices", .devices(devices))] }

  func lines(_ style: Style) -> [String] {
    var table = Table(["  device", "id", "version", "seen"])
    for device in devices {
      table.add([
        (device.isThisDevice ? "* " : "  ") + String(printable: device.name.utf8).cut(to: 24),
        device.id, device.head?.short ?? "", style.seen(device.lastSeen),
      ])
    }
    return table.lines(style)
  }
}

/// The report of `devices --forget`.
struct ForgottenReport: Report {
  let device: DeviceSummary
  let isDone: Bool

  var members: [JSONMember] {
    [JSONMember("forgotten", .device(device)), JSONMember("dryRun", .bool(!isDone))]
  }

  func lines(_ style: Style) -> [String] {
    let name = String(printable: device.name.utf8)
    return [
      "\(isDone ? "forgot" : "would forget") \(name) (\(device.id)), last seen "
        + "\(style.local(device.lastSeen)); its versions stay"
    ]
  }
}

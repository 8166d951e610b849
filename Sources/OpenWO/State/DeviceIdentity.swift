import OpenWOFiles

/// `device.json` in the state folder: who this installation is.
///
/// It also holds the machine id, so that a home folder copied to another machine becomes a new
/// device.
struct DeviceIdentity: Sendable, Hashable, Codable {
  var id: String
  var name: String
  var machine: String

  /// Reads this device's identity, or makes one the first time and on a new machine.
  ///
  /// It throws if the file cannot be read for a moment, so that no new device is made.
  static func load(
    _ paths: StorePaths, name: String?, _ files: FileSystem
  ) throws -> DeviceIdentity {
    let machine = Machine.machineID
    var found: DeviceIdentity?
    do {
      found = try CompanionFile.read(DeviceIdentity.self, at: paths.deviceIdentity, files)
    } catch is DecodingError {}
    if var found, machine.isEmpty || found.machine == machine, isID(found.id) {
      guard let name, name != found.name else { return found }
      found.name = name
      try CompanionFile.write(found, to: paths.deviceIdentity, files)
      return found
    }
    let host = Machine.hostName
    let made = DeviceIdentity(
      id: randomHex(bytes: 6), name: name ?? (host.isEmpty ? "device" : host), machine: machine)
    try files.makeDirectories(paths.stateRoot)
    try CompanionFile.write(made, to: paths.deviceIdentity, files)
    return made
  }

  /// Whether text can be a device's id: it becomes part of file names.
  static func isID(_ text: String) -> Bool {
    (1...23).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || (0x41...0x5a).contains($0)
          || $0 == 0x2d || $0 == 0x5f
      }
  }
}

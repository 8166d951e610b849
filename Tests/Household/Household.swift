package import Foundation
package import OpenWOApp
package import OpenWOFiles
@_exported public import OpenWOTesting

/// Several devices of one person, each with a synced folder of its own, and a real program that keeps the folders in step.
///
/// The program is unison, and there is a place where all folders meet, as a service has one. Nothing moves but when `carry` is called.
package final class Household: Sendable {
  private let devices: TestDevices

  package init() throws {
    devices = try TestDevices([])
    try FileManager.default.createDirectory(
      at: root.appending(path: "cloud"), withIntermediateDirectories: true)
  }

  package var root: URL { devices.root }
  package var clock: ManualClock { devices.clock.manual }

  /// A device's synced folder.
  package func folder(_ device: String) -> URL { devices.folder(device) }
  /// A device's own data.
  package func data(_ device: String) -> URL { devices.data(device) }
  /// A device's memory of stores and settings.
  package func state(_ device: String) -> URL { devices.state(device) }

  /// The service's own data about a device.
  private func memory(_ device: String) -> URL { root.appending(path: "unison-\(device)") }

  /// The places of a device; its folder is made by default.
  package func places(_ device: String, makingFolder: Bool = true) throws -> AppPlaces {
    if makingFolder {
      try FileManager.default.createDirectory(
        at: folder(device), withIntermediateDirectories: true)
    }
    return devices.places(device)
  }

  /// Opens an app on a device, does something, and closes it, as a person does.
  @discardableResult
  package func on<Result: Sendable>(
    _ device: String, _ profile: AppProfile, _ body: (AppStore) async throws -> Result
  ) async throws -> Result {
    try await devices.on(device, profile, body)
  }

  /// Brings the devices' folders in step; a device that is not named is off or without a network.
  package func carry(_ devices: String...) throws {
    for device in devices + devices { try unison(device) }
    clock.advance(milliseconds: 10_000)
  }

  /// Takes a device's own things away, as deleting the app or buying a new device does.
  package func wipe(_ device: String) throws {
    for url in [folder(device), data(device), state(device), memory(device)] {
      try? FileManager.default.removeItem(at: url)
    }
  }

  /// The text of every file below a folder, to look for what must not be there.
  package func contains(_ text: String, below folder: URL) throws -> Bool {
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
    return try names.compactMap { $0 as? String }.contains { name in
      let url = folder.appending(path: name)
      guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
        return false
      }
      return try Data(contentsOf: url).range(of: Data(text.utf8)) != nil
    }
  }

  /// The names of a folder's files, sorted.
  package func names(in folder: URL) throws -> [String] { try devices.names(in: folder) }

  private func unison(_ device: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "unison", folder(device).path, root.appending(path: "cloud").path, "-batch", "-auto",
      "-times",
      "-prefer", "newer", "-copyonconflict", "-ignore", "Name .~openwo-*.tmp", "-silent",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["UNISON": memory(device).path]
    ) { $1 }
    let said = Pipe()
    process.standardOutput = said
    process.standardError = said
    try process.run()
    try said.fileHandleForWriting.close()
    let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    // 1 and 2: some files were passed over, or changed meanwhile; they are tried again the next time.
    guard process.terminationStatus <= 2 else { throw UnisonFailed(text: text) }
  }

  struct UnisonFailed: Error { let text: String }
}

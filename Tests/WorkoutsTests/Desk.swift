import Foundation
import OpenWOApp
import SystemPackage

@testable import workouts

/// A temporary synced folder and a device's state folder for the app; gone with the last reference.
final class Desk: Sendable {
  let root: URL

  init() throws {
    let files = FileManager.default
    // In memory if possible: fsync costs nothing there.
    let memory = URL(fileURLWithPath: "/dev/shm")
    let top = files.fileExists(atPath: memory.path) ? memory : files.temporaryDirectory
    root = top.resolvingSymlinksInPath().appending(path: "openwo-test-\(UUID())")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  var folder: URL { root.appending(path: "Training") }
  var database: String { folder.appending(path: "openwo.sqlite").path }
  var environment: [String: String] {
    [
      "OPENWO_STATE_DIR": root.appending(path: "state").path, "OPENWO_DEVICE_NAME": "desk",
      "XDG_DATA_HOME": root.appending(path: "data").path, "OPENWO_NETWORK": "online", "LANG": "C",
    ]
  }

  /// How this device opens a store; no background thread, so that nothing happens by itself.
  var configuration: Configuration {
    var configuration = Configuration()
    configuration.stateFolder = FilePath(root.appending(path: "state").path)
    configuration.deviceName = "desk"
    configuration.monitors = false
    configuration.app = "org.example.workouts"
    configuration.migrations = Schema.migrations
    return configuration
  }

  /// Opens the app's store, and makes it the first time.
  func open() throws -> SyncedDatabase {
    do {
      return try SyncedDatabase(path: database, configuration: configuration)
    } catch StoreError.Code.noStore {
      _ = try SyncedDatabase.initialize(
        path: database, create: true, configuration: configuration)
      return try SyncedDatabase(path: database, configuration: configuration)
    }
  }

  /// Runs a program of this package to its end and returns what it printed.
  @discardableResult
  func run(_ program: String, _ arguments: String...) throws -> (status: Int32, text: String) {
    let process = try RunningApp(program, arguments, self)
    let status = try process.ended()
    return (status, process.lines.joined(separator: "\n"))
  }

  /// Runs SQL with the sqlite3 shell, as a person would, and returns what it prints.
  @discardableResult
  func sqlite3(_ sql: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", database, sql]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try output.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    let text = String(decoding: said, as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ShellFailed(text: text) }
    return text
  }

  struct ShellFailed: Error { let text: String }
}

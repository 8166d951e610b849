import Foundation

/// A process of a program that this package builds, with what it has printed so far.
final class RunningApp {
  struct Late: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let output = Pipe()
  private var rest: [UInt8] = []
  private(set) var lines: [String] = []

  /// Starts a program with the state folder and the device name of a test.
  convenience init(_ program: String, _ arguments: [String], _ desk: Desk) throws {
    try self.init(program, arguments, desk.environment)
  }

  /// Starts a program with these variables.
  init(_ program: String, _ arguments: [String], _ environment: [String: String]) throws {
    process.executableURL =
      program.hasPrefix("/")
      ? URL(fileURLWithPath: program) : Programs.folder.appending(path: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try output.fileHandleForWriting.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The next line that a test waits for; those before it are kept in `lines`.
  @discardableResult
  func line(
    within limit: Duration = .seconds(30), where isWanted: (String) -> Bool
  ) throws -> String {
    let deadline = ContinuousClock.now + limit
    while true {
      while let line = takeLine() {
        lines.append(line)
        if isWanted(line) { return line }
      }
      guard try read(until: deadline) else {
        let said = lines.joined(separator: "\n")
        throw Late(description: "the line did not come; what came was:\n\(said)")
      }
    }
  }

  @discardableResult
  func line(_ beginning: String, within limit: Duration = .seconds(30)) throws -> String {
    try line(within: limit) { $0.hasPrefix(beginning) }
  }

  /// Asks the program to end, as ^C does.
  func interrupt() { process.interrupt() }

  /// Ends the program without giving it a chance.
  func kill9() { kill(process.processIdentifier, SIGKILL) }

  /// Reads the rest of the output and returns the exit status.
  @discardableResult
  func ended(within limit: Duration = .seconds(30)) throws -> Int32 {
    let deadline = ContinuousClock.now + limit
    while try read(until: deadline) {}
    while let line = takeLine() { lines.append(line) }
    guard ContinuousClock.now < deadline else { throw Late(description: "it did not end") }
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func takeLine() -> String? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { rest.removeFirst(end + 1) }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// Waits for more output; false at its end or at the deadline.
  private func read(until deadline: ContinuousClock.Instant) throws -> Bool {
    let left = max(.zero, deadline - ContinuousClock.now)
    let milliseconds = Int32(left.components.seconds * 1000) + 1
    let descriptor = output.fileHandleForReading.fileDescriptor
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return false }
    let data = output.fileHandleForReading.availableData
    rest += data
    return !data.isEmpty
  }
}

/// The folder of this build's programs: beside the test bundle.
enum Programs {
  static let folder: URL = {
    let arguments = CommandLine.arguments
    let bundle = arguments.first { $0.contains(".xctest") } ?? arguments[0]
    var url = URL(fileURLWithPath: bundle)
    while url.path.contains(".xctest") { url.deleteLastPathComponent() }
    return url
  }()
}

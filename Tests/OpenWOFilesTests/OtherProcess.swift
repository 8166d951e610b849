import Foundation
import OpenWOFiles
import SystemPackage

/// A second process that runs a shell script, with its lines to read and its input to write.
final class OtherProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts the script; `$1`, `$2` … are the paths.
  init(_ script: String, _ paths: FilePath...) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh"] + paths.map(\.string)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  var pid: Int32 { process.processIdentifier }

  /// The next line it writes, when it has.
  func line() -> String {
    var line: [UInt8] = []
    while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Lets it read a line.
  func go() { try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

  /// Waits for its end and says with what status.
  @discardableResult
  func end() -> Int32 {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  func kill() {
    kill(pid, SIGKILL)
    process.waitUntilExit()
  }

  private func kill(_ pid: Int32, _ signal: Int32) { _ = Foundation.kill(pid, signal) }
}

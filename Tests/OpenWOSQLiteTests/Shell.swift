import Foundation
import SystemPackage

/// A `sqlite3` shell in a process of its own: the other program on the same file.
final class Shell {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = ""

  init(_ path: FilePath) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-bail", path.string]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  deinit {
    kill()
  }

  /// Runs SQL, waits until it is done and returns what was printed.
  @discardableResult
  func run(_ sql: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n.print <done>\n".utf8))
    while !unread.contains("<done>\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      unread += String(decoding: data, as: UTF8.self)
    }
    let parts = unread.split(separator: "<done>\n", maxSplits: 1, omittingEmptySubsequences: false)
    unread = parts.count > 1 ? String(parts[1]) : ""
    return parts[0].trimmingCharacters(in: .newlines)
  }

  /// Ends the process at once, as a crash does.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Runs SQL in a process of its own, from start to end.
  @discardableResult
  static func run(_ path: FilePath, _ sql: String) throws -> String {
    try Shell(path).run(sql)
  }
}

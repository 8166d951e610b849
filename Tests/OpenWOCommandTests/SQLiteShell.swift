import Foundation

/// A running `sqlite3`, as an editor that somebody has open.
final class SQLiteShell {
  struct Ended: Error {}

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  init(_ path: String, in stage: Stage) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", path]
    process.environment = stage.environment
    process.currentDirectoryURL = stage.folder
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try output.fileHandleForWriting.close()
  }

  deinit { try? close() }

  /// Runs statements and waits until they are done.
  @discardableResult
  func run(_ sql: String) throws -> String {
    input.fileHandleForWriting.write(Data("\(sql)\n.print done\n".utf8))
    let end = Data("done\n".utf8)
    while true {
      if let range = rest.range(of: end) {
        let said = rest[..<range.lowerBound]
        rest = Data(rest[range.upperBound...])
        return String(decoding: said, as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Ended() }
      rest += more
    }
  }

  /// Closes the database and ends.
  func close() throws {
    guard process.isRunning else { return }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

import Foundation

/// A program run to its end.
enum Shell {
  struct Failed: Error { let text: String }

  @discardableResult
  static func run(_ words: String...) async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let said = Pipe()
    process.standardOutput = said
    process.standardError = said
    try process.run()
    try said.fileHandleForWriting.close()
    let data = try said.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else { throw Failed(text: text) }
    return text
  }
}

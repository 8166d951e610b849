import Foundation

/// The `sqlite3` program, if this machine has it.
enum Shell {
  static let path = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var exists: Bool { path != nil }

  /// Runs a script on a database and returns what the shell complained about.
  static func run(_ script: String, on database: String) throws -> String {
    let file = database + ".script"
    try Data(script.utf8).write(to: URL(fileURLWithPath: file))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = ["-bail", database]
    process.standardInput = FileHandle(forReadingAtPath: file)
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: complaints, as: UTF8.self)
  }
}

package import Foundation

/// A database that an app had before it used openwo, as that app left it.
package struct EarlierFile {
  /// How the app left it.
  package enum Left: CaseIterable, Sendable {
    /// Closed, as a rollback journal leaves it.
    case closed
    /// In WAL mode, killed while the latest rows were only in the log.
    case logged
  }

  package let url: URL

  /// Makes the file with the sqlite3 shell: what is in `late` comes last.
  package init(_ url: URL, _ left: Left, _ sql: String, late: String) throws {
    self.url = url
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let isLogged = left == .logged
    try shell(isLogged ? "PRAGMA journal_mode = WAL;\n\(sql)" : sql)
    try shell((isLogged ? ".dbconfig no_ckpt_on_close on\n" : "") + late)
    let log = try? Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
    guard (log?.isEmpty ?? true) != isLogged else { throw Failed(text: "no log was left") }
  }

  /// The bytes of the file and of its log.
  package var bytes: [Data?] {
    ["", "-wal", "-journal"].map { try? Data(contentsOf: URL(fileURLWithPath: url.path + $0)) }
  }

  /// The rows that SwiftData has in each file beside those of the app.
  package static let coreData = """
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
      Z_MAX INTEGER);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    INSERT INTO Z_METADATA VALUES (1, '3F0A2B1C-0001-4A5B-8C6D-7E8F90A1B2C3', x'62706c697374');
    """

  private func shell(_ input: String) throws {
    let process = Process()
    let (words, said) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-bail", url.path]
    process.standardInput = words
    process.standardOutput = said
    process.standardError = said
    try process.run()
    try words.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try words.fileHandleForWriting.close()
    try said.fileHandleForWriting.close()
    let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(text: text) }
  }

  struct Failed: Error { let text: String }
}

import Foundation
import OpenWOCSession
import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// The same answers as SQLite's own programs give.
struct YardstickTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let sqldiff = ["/usr/bin/sqldiff", "/usr/local/bin/sqldiff"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A database, one that grew from it, and their tables.
  private func grown(_ seed: Int) throws -> (TestDatabase, TestDatabase, [String]) {
    var history = RandomHistory(seed: UInt64(seed))
    let old = try scratch.database()
    try history.create(old)
    let new = try scratch.copy(old)
    for _ in 0..<4 { try history.write(new, by: "new") }
    return (old, new, history.tables + ["pair"])
  }

  private func counts(_ old: TestDatabase, _ new: TestDatabase) throws -> [String: [Int]] {
    let found = try difference(from: old.connection, to: new.connection)
    return Dictionary(
      uniqueKeysWithValues: found.tables.map { ($0.table, [$0.updated, $0.inserted, $0.deleted]) })
  }

  /// The counts of `sqldiff --summary`: changes, inserts and deletes of each table that differs.
  private func counted(_ old: TestDatabase, _ new: TestDatabase) throws -> [String: [Int]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.sqldiff ?? "")
    process.arguments = ["--primarykey", "--summary", old.path, new.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var counts: [String: [Int]] = [:]
    // The counters of AUTOINCREMENT are told apart from the rows.
    for line in text.split(separator: "\n") where !line.hasPrefix("sqlite_sequence") {
      let parts = line.split(separator: ": ")
      let numbers = parts[1].split(separator: ", ").prefix(3)
        .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
      if numbers != [0, 0, 0] { counts[String(parts[0])] = numbers }
    }
    return counts
  }

  @Test(.enabled(if: sqldiff != nil), arguments: 0..<40)
  func `sqldiff counts the same rows`(seed: Int) throws {
    let (old, new, _) = try grown(seed)
    let expected = try counted(old, new)
    #expect(try counts(old, new) == expected)
    #expect(try counts(new, old) == counted(new, old))
  }

  @Test(.enabled(if: openwo_session_exists() == 1), arguments: 0..<40)
  func `a changeset of the session extension is the same difference`(seed: Int) throws {
    let (old, new, tables) = try grown(seed)
    let copy = try scratch.copy(old)
    copy.connection.close()
    var changes = openwo_session_counts()
    let names = (tables + [""]).map { strdup($0) }
    defer { for name in names { free(name) } }
    let result = names.map { UnsafePointer($0) }.withUnsafeBufferPointer {
      openwo_session_transform(old.path, new.path, copy.path, $0.baseAddress, &changes)
    }
    #expect(result == 0)
    let rest = try difference(from: TestDatabase(copy.path).connection, to: new.connection)
    #expect(rest.tables.isEmpty)
    let counts = try counts(old, new).values
    #expect(counts.reduce(0) { $0 + $1[0] } == Int(changes.updated))
    #expect(counts.reduce(0) { $0 + $1[1] } == Int(changes.inserted))
    #expect(counts.reduce(0) { $0 + $1[2] } == Int(changes.deleted))
  }
}

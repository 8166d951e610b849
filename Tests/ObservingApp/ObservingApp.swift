import Foundation
import OpenWO
import SystemPackage

/// An app that observes a query and writes, for `Tests/Campaigns/observed`.
///
///     observing-app DATABASE STATE DEVICE WRITER SECONDS PAUSE WRITERS
///
/// Each line that it prints is a moment in milliseconds, a word and numbers: `wrote` its own number, `value` the number of each writer
/// and who has ended, `last` the same read from the database when the loop is over. It writes for some seconds, each second write to a
/// table that the query does not read; it ends when it has observed that every writer has ended.
@main
enum ObservingApp {
  /// The number of each writer, and one more for each that has ended.
  struct Seen: Equatable, Sendable {
    var numbers: [String: Int] = [:]
    var ended: Set<String> = []
  }

  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 8, let seconds = Double(words[5]), let pause = Double(words[6]) else {
      print("usage: observing-app DATABASE STATE DEVICE WRITER SECONDS PAUSE WRITERS")
      exit(64)
    }
    let (writer, writers) = (words[4], words[7].split(separator: ",").map(String.init))
    let store = try SyncedDatabase(path: words[1], configuration: configuration(words))
    let observing = Task { try await observe(store, until: writers) }
    try await write(store, writer, seconds: seconds, pause: pause)
    try await observing.value
    say("last", try await store.read(look), writers)
    try store.close()
  }

  private static func configuration(_ words: [String]) -> Configuration {
    var configuration = Configuration()
    configuration.stateFolder = FilePath(words[2])
    configuration.deviceName = words[3]
    configuration.settling = .merge
    configuration.publishing = .immediately
    return configuration
  }

  @Sendable
  private static func look(_ db: Connection) throws -> Seen {
    let rows = try db.rows("SELECT writer, number, ended FROM counted") { row in
      (try row.get(0) as String, try row.get(1) as Int, try row.get(2) as Int)
    }
    return Seen(
      numbers: Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.1) }),
      ended: Set(rows.filter { $0.2 > 0 }.map(\.0)))
  }

  /// Prints each value, until every writer has ended.
  private static func observe(_ store: SyncedDatabase, until writers: [String]) async throws {
    for try await seen in store.values(look) {
      say("value", seen, writers)
      if seen.ended.isSuperset(of: writers) { return }
    }
  }

  private static func write(
    _ store: SyncedDatabase, _ writer: String, seconds: Double, pause: Double
  ) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    var number = 0
    while .now < end {
      number += 1
      let (count, isObserved) = (number / 2, number.isMultiple(of: 2))
      try await attempt(store) { db in
        if isObserved {
          try db.execute("UPDATE counted SET number = ? WHERE writer = ?", count, writer)
        } else {
          try db.execute("INSERT INTO noise(writer, number) VALUES(?, ?)", writer, count)
        }
      }
      if isObserved { say("wrote \(count)") }
      try await Task.sleep(for: .seconds(pause))
    }
    try await attempt(store) { db in
      try db.execute("UPDATE counted SET ended = 1 WHERE writer = ?", writer)
    }
  }

  /// Writes, and tries again while the store is busy: a write that was set aside is merged.
  private static func attempt(
    _ store: SyncedDatabase, _ body: @escaping @Sendable (Connection) throws -> Void
  ) async throws {
    for _ in 0..<20 {
      do {
        return try await store.write(body)
      } catch let error as StoreError where error.code == .busy {
        say("busy")
      } catch let error as StoreError where error.code == .setAside {
        return say("aside")
      }
    }
    try await store.write(body)
  }

  private static func say(_ word: String, _ seen: Seen, _ writers: [String]) {
    let numbers = writers.map { "\(seen.numbers[$0] ?? -1)\(seen.ended.contains($0) ? "!" : "")" }
    say("\(word) \(numbers.joined(separator: " "))")
  }

  private static func say(_ line: String) {
    let now = Int(Date().timeIntervalSince1970 * 1000)
    try? FileHandle.standardOutput.write(contentsOf: Data("\(now) \(line)\n".utf8))
  }
}

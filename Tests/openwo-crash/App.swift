import OpenWO
import OpenWOCrash
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The app that is stopped: it writes the rows that it is told to, and tells each when the store has taken it (`ack ROW`) or has refused it
/// (`not ROW CODE`).
struct App {
  private let verb: String
  private let path: String
  private let rows: [String]

  private static let verbs = ["write", "write-later", "upgrade", "prune", "write-on", "first-day"]

  /// Nil if the words are none for it.
  init?(_ words: [String]) {
    guard words.count >= 2, Self.verbs.contains(words[0]) else { return nil }
    (verb, path, rows) = (words[0], words[1], Array(words.dropFirst(2)))
  }

  func run() throws {
    var configuration = Configuration()
    configuration.monitors = verb == "write-on"
    if verb == "write-later" { configuration.capturing = .whenIdle }
    if verb == "upgrade" {
      configuration.migrations = Migrations([
        Migrations.Step(1) {
          try $0.executeScript("CREATE TABLE extra(v); INSERT INTO extra VALUES(1)")
        }
      ])
    }
    if verb == "prune" { configuration.retention = Retention(last: 2) }
    if verb == "first-day" {
      try firstDay(configuration)
      return
    }
    let store = try SyncedDatabase(path: path, configuration: configuration)
    if verb == "prune" { _ = try store.prune() }
    if verb == "write-on" { try writeOn(store) }
    for row in rows where verb != "write-on" { try write(row, store) }
    try store.close()
  }

  /// A new store, and at once a row that only the history has in the end.
  private func firstDay(_ configuration: Configuration) throws {
    let first = try SyncedDatabase.initialize(path: path, configuration: configuration).head
    let store = try SyncedDatabase(path: path, configuration: configuration)
    try write(rows[0], store)
    _ = try store.restore(first)
    try write(rows[1], store)
    try store.close()
  }

  /// Writes until it is killed.
  ///
  /// A file that is replaced under its hands it writes again, as it is told to; that must help.
  private func writeOn(_ store: SyncedDatabase) throws {
    var number = 0
    var tries = 0
    while true {
      number += 1
      do {
        try write("\(rows[0])-\(number)", store)
        tries = 0
      } catch let error as StoreError where error.code == .unavailable && tries < 2 {
        tries += 1
      }
    }
  }

  private func write(_ row: String, _ store: SyncedDatabase) throws {
    do {
      try store.write { try Scene.insert(row, verb == "write-on" ? 100 : 1500, $0) }
    } catch let error as StoreError where error.code == .setAside {
      // It is in the history, which is what was promised.
    } catch {
      let code = (error as? StoreError)?.code
      try say("not \(row) \(code?.description ?? "other")")
      if verb == "write-on", code == .busy { return }
      throw error
    }
    try say("ack \(row)")
  }

  private func say(_ line: String) throws {
    _ = try FileDescriptor.standardOutput.writeAll(Array("\(line)\n".utf8))
  }
}

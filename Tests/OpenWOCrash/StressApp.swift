import Foundation
import OpenWO
import OpenWOFiles
import Synchronization
import SystemPackage

/// One process of the stress: threads that write and read one store, and tell what became of each row.
///
/// A line is a word, a row, and when its write was begun: `ack` (it was taken), `not` (it was refused, and why), `unsure` (nobody knows), and
/// `unread` (it was taken, and this process did not find it afterwards; then the moment of the look follows), which is told once of a row.
package final class StressApp: Sendable {
  private let path: String
  private let tag: String
  private let seconds: Int64
  private let threads: Int
  private let clock = SystemClock()
  private let known = Mutex<[String: Int64]>([:])

  /// Takes the words of the command line: the database, a name for the process, seconds, threads.
  package init(_ words: [String]) throws {
    guard words.count == 4, let seconds = Int64(words[2]), let threads = Int(words[3]) else {
      throw Failure("DATABASE TAG SECONDS THREADS")
    }
    (path, tag, self.seconds, self.threads) = (words[0], words[1], seconds, threads)
  }

  package func run() throws {
    var configuration = Configuration()
    configuration.settling = .merge
    configuration.retention.last = 1_000_000
    let store = try SyncedDatabase(path: path, configuration: configuration)
    let end = clock.monotonic() + seconds * 1_000_000_000
    Crew(count: threads).run { [self] thread in
      var number = 0
      while clock.monotonic() < end {
        number += 1
        write("\(tag)-\(thread)-\(number)", store, fails: number % 10 == 0)
        if number % 20 == 0 { lookForAll(store) }
      }
    }
    try store.close()
  }

  private struct ChangedMind: Error {}

  private func write(_ row: String, _ store: SyncedDatabase, fails: Bool) {
    let start = clock.monotonic()
    do {
      try store.write { db in
        try db.execute(
          """
          INSERT INTO row(name, n) VALUES(?, 1) ON CONFLICT(name) DO UPDATE SET n = n + 1
          """, row)
        if fails { throw ChangedMind() }
      }
      say("ack \(row) \(start)")
      known.withLock { $0[row] = start }
      look(for: row, start, store)
    } catch let error as StoreError where error.code == .setAside {
      say("ack \(row) \(start)")
    } catch let error as StoreError where error.code == .inDoubt {
      say("unsure \(row) \(start)")
    } catch {
      say("not \(row) \(start) \(error)")
    }
  }

  /// This process must find its own acknowledged rows at once.
  private func look(for row: String, _ start: Int64, _ store: SyncedDatabase) {
    let found = try? store.read { db in
      try db.rows("SELECT n FROM row WHERE name = ?", row) { try $0.get(0) as Int }
    }
    if let found, found != [1] { tellUnread(row, start) }
  }

  /// The explanation of the first time that a row is missing also explains the others.
  private func tellUnread(_ row: String, _ start: Int64) {
    guard known.withLock({ $0.removeValue(forKey: row) }) != nil else { return }
    say("unread \(row) \(start) \(clock.monotonic())")
  }

  /// And all that it was told before.
  ///
  /// The rows are copied while the lock is held. A dictionary that left the lock would share its storage with the one that is changed, and
  /// ThreadSanitizer does not see the count of references that keeps the two apart.
  private func lookForAll(_ store: SyncedDatabase) {
    let rows = known.withLock { Array($0) }
    let found = try? store.read { db in
      try db.rows("SELECT name FROM row") { try $0.get(0) as String }
    }
    guard let found = found.map(Set.init) else { return }
    for (row, start) in rows where !found.contains(row) { tellUnread(row, start) }
  }

  private func say(_ line: String) {
    let text = line.replacing("\n", with: " ") + "\n"
    _ = try? FileDescriptor.standardOutput.writeAll(Array(text.utf8))
  }
}

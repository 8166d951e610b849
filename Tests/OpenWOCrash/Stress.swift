import Foundation
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import OpenWOTestSupport
import Synchronization
package import SystemPackage

/// Threads of several processes, a plain program, and two services that replace the file or write over it, all on one store at once.
///
/// Each minute has a store of its own, so that an hour needs no more memory and disk than a minute.
package struct Stress: Sendable {
  package var seconds = 60
  package var processes = 3
  package var threads = 8
  package var seed: UInt64 = 1
  /// The participants besides the apps.
  package var parts: Set<Part> = Set(Part.allCases)

  /// A participant that knows nothing of the apps.
  package enum Part: String, CaseIterable, Sendable {
    /// A program that uses SQLite.
    case plain
    /// A service that renames another file over the database.
    case rename
    /// A service that writes over the database in place.
    case inPlace = "in-place"
  }

  /// The folder that keeps what a run with a violation leaves.
  package var faults: FilePath?

  package init() {}

  /// Plays it and holds what every program was told against what is there in the end.
  package func outcome(_ tools: Tools, _ folder: FilePath) throws -> Outcome {
    let rounds = (seconds + 59) / 60
    var outcome = Outcome()
    for number in 0..<rounds {
      var part = self
      part.seconds = seconds * (number + 1) / rounds - seconds * number / rounds
      part.seed = seed &+ UInt64(number) &* 104_729
      let root = folder.appending("stress-\(number)")
      defer { try? FileManager.default.removeItem(atPath: root.string) }
      var found = try StressPlay(part, tools, root).run()
      if let faults, !found.violations.isEmpty {
        try FileManager.default.moveItem(
          atPath: root.string, toPath: faults.appending("stress-\(getpid())-\(number)").string)
      }
      found.violations = found.violations.map { "minute \(number): \($0)" }
      outcome.add(found)
    }
    return outcome
  }
}

/// One run.
final class StressPlay: Sendable {
  let stress: Stress
  let tools: Tools
  let root: FilePath
  let files = FileSystem()
  let clock = SystemClock()
  let notes = Mutex(StressNotes())
  /// Held by the plain program for each of its commits, and by who writes over the file: what it overwrites is read first.
  private let plainTurn = Mutex(())
  /// Held by each service while it works.
  private let serviceTurn = Mutex(())
  private let end: Int64

  init(_ stress: Stress, _ tools: Tools, _ folder: FilePath) throws {
    (self.stress, self.tools, root) = (stress, tools, folder)
    end = clock.monotonic() + Int64(stress.seconds) * 1_000_000_000
    for path in [database.removingLastComponent(), outside] { try files.makeDirectories(path) }
    try shell("CREATE TABLE row(name TEXT PRIMARY KEY, n INT); INSERT INTO row VALUES('first', 1)")
    try openwo("init", database.string)
  }

  var database: FilePath { root.appending("Training").appending("openwo.sqlite") }
  var state: FilePath { root.appending("state") }
  /// The folder with the files that the services will deliver.
  private var outside: FilePath { root.appending("outside") }

  private var variables: [String: String] {
    ["OPENWO_STATE_DIR": state.string, "OPENWO_DEVICE_NAME": "desk", "TZ": "UTC"]
  }

  func run() throws -> Outcome {
    let others = Stress.Part.allCases.filter(stress.parts.contains)
    Crew(count: stress.processes + others.count).run { [self] index in
      do {
        if index < stress.processes {
          try follow("app\(index)")
        } else {
          try play(others[index - stress.processes], stress.seed &+ UInt64(index) &* 7919)
        }
      } catch {
        notes.withLock { $0.wrong.append("\(error)") }
      }
    }
    return try StressVerdict(self).outcome()
  }

  /// Starts an app and takes down what it tells.
  private func follow(_ tag: String) throws {
    let words = [
      tools.writer, "stress-app", database.string, tag, "\(stress.seconds)", "\(stress.threads)",
    ]
    let app = try Child(words, variables)
    let limit = end + 60_000_000_000
    var rest: [UInt8] = []
    while let piece = app.read(until: limit) {
      if piece.isEmpty {
        kill(app.pid, SIGKILL)
        _ = app.wait()
        throw Failure("\(tag) does not end")
      }
      rest += piece
      while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[..<newline], as: UTF8.self)
        rest.removeSubrange(...newline)
        notes.withLock { $0.take(line) }
      }
    }
    let ended = app.wait()
    if ended != .exited(0) { throw Failure("\(tag) ended with \(ended)") }
  }

  private func play(_ part: Stress.Part, _ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var number = 0
    while clock.monotonic() < end {
      number += 1
      switch part {
      case .plain: plainTurn.withLock { _ in commit(StressNotes.name("plain", number)) }
      case .rename: try serviceTurn.withLock { _ in try replace(number, &random) }
      case .inPlace:
        try serviceTurn.withLock { _ in
          try plainTurn.withLock { _ in try overwrite(number, &random) }
        }
      }
      clock.sleep(nanoseconds: Int64(1 + random.below(200)) * 1_000_000)
    }
  }

  private static func inserting(_ row: String) -> String {
    "INSERT INTO row(name, n) VALUES('\(row)', 1) ON CONFLICT(name) DO UPDATE SET n = n + 1"
  }

  /// A plain program's commit; when the file is replaced under it, or torn, it is refused.
  private func commit(_ row: String) {
    let isTaken = (try? shell(Self.inserting(row))) != nil
    notes.withLock { $0.others[row] = isTaken }
  }

  /// A service brings an older state, or one that somebody has edited elsewhere; the rows of what was there are kept for the verdict.
  private func replace(_ number: Int, _ random: inout SeededRandom) throws {
    let path = outside.appending("renamed-\(number)")
    defer { try? files.unlink(path) }
    guard olderState(path, &random) else { return }
    let row = StressNotes.name("swap", number)
    let isEdited = random.below(2) == 0
    if isEdited { try shell(Self.inserting(row), path) }
    let start = clock.monotonic()
    do {
      try files.exchange(path, database)
    } catch {
      // It is missing for a moment while it is put right.
      return
    }
    let end = clock.monotonic()
    // A commit of the plain program that had begun may still go into the file that was taken out.
    let names = try plainTurn.withLock { _ in
      StressNotes.names(in: try files.readSmall(path, limit: 1 << 30))
    }
    notes.withLock { notes in
      notes.renames += 1
      notes.replaced.append(start...end)
      notes.takenAway.formUnion(names)
      if isEdited { notes.others[row] = true }
    }
  }

  /// A service writes an older state over the database in place, without any lock.
  private func overwrite(_ number: Int, _ random: inout SeededRandom) throws {
    let path = outside.appending("older-\(number)")
    defer { try? files.unlink(path) }
    guard olderState(path, &random) else { return }
    let bytes = try files.readSmall(path, limit: 1 << 30)
    guard let before = try? files.readSmall(database, limit: 1 << 30) else { return }
    let names = StressNotes.names(in: before)
    let start = clock.monotonic()
    let file = try FileDescriptor.open(database, .readWrite)
    defer { try? file.close() }
    var offset = 0
    while offset < bytes.count {
      let piece = bytes[offset..<min(bytes.count, offset + 16_384)]
      _ = try file.writeAll(toAbsoluteOffset: Int64(offset), piece)
      offset += piece.count
    }
    try file.resize(to: Int64(bytes.count))
    notes.withLock { notes in
      notes.overwrites += 1
      notes.takenAway.formUnion(names)
      notes.replaced.append(start...clock.monotonic())
    }
  }

  private func olderState(_ path: FilePath, _ random: inout SeededRandom) -> Bool {
    let version = "@~\(1 + random.below(8))"
    return (try? openwo("show", database.string, version, "-o", path.string)) != nil
  }

  func openwo(_ words: String...) throws {
    let done = try Child.run([tools.openwo] + words, variables)
    guard done.end == .exited(0) else { throw Failure("openwo \(words[0]): \(done.output)") }
  }

  func shell(_ sql: String, _ path: FilePath? = nil) throws {
    let done = try Child.run([
      "sqlite3", "-cmd", ".timeout 2000", (path ?? database).string, sql,
    ])
    guard done.end == .exited(0) else { throw Failure("sqlite3: \(done.output)") }
  }
}

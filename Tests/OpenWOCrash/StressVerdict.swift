import Foundation
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import Synchronization
import SystemPackage

/// Compares the results that the programs got with the state at the end.
///
/// If a service removed a file before any app could look, the service lost it: it counts as kept if
/// it can be found.
struct StressVerdict {
  private let play: StressPlay
  private let notes: StressNotes
  private let files = FileSystem()

  init(_ play: StressPlay) {
    self.play = play
    notes = play.notes.withLock { $0 }
  }

  func outcome() throws -> Outcome {
    var wrong = notes.wrong
    let (rows, twice) = try rowsOfAllStates(&wrong)
    wrong += twice.map { "\($0) is there twice" }
    wrong += notes.taken.subtracting(rows).map { "\($0) was acknowledged and is lost" }
    for (row, why) in notes.refused where rows.contains(row) {
      wrong.append("\(row) was refused and is there: \(why)")
    }
    wrong += unread.map { "\($0.row) was acknowledged and not found by its own process" }
    let missing = Set(notes.others.filter(\.value).keys).subtracting(rows)
    wrong += try lost(missing).map { "\($0) of another program is lost" }
    wrong += tooLittle
    var outcome = Outcome()
    outcome.cases = notes.taken.count + notes.others.values.count { $0 }
    outcome.shares = [
      "rows acknowledged": notes.taken.count, "writes refused": notes.refused.count,
      "writes in doubt": notes.unsure.count, "renames": notes.renames,
      "times written over": notes.overwrites,
      "commits of others": notes.others.values.count { $0 },
      "commits that a service took away": missing.count,
      "rows that a service took from sight": notes.unread.count - unread.count,
    ]
    outcome.violations = wrong
    return outcome
  }

  /// Actions that happened too seldom for a verdict: a store that refuses everything loses nothing.
  ///
  /// The apps roll back one write in ten themselves.
  private var tooLittle: [String] {
    let tried = notes.taken.count + notes.refused.count + notes.unsure.count
    let done: [(isEnough: Bool, what: String)] = [
      (notes.taken.count * 2 >= tried, "\(tried) writes tried, \(notes.taken.count) taken"),
      (notes.taken.count >= play.stress.seconds, "\(notes.taken.count) writes taken"),
      (plays(.plain) ? notes.others.values.contains(true) : true, "no commit of a plain program"),
      (plays(.rename) ? notes.renames > 0 : true, "no file renamed over the database"),
      (plays(.inPlace) ? notes.overwrites > 0 : true, "the database not once written over"),
    ]
    return done.filter { !$0.isEnough }.map { "too little took place: \($0.what)" }
  }

  private func plays(_ part: Stress.Part) -> Bool { play.stress.parts.contains(part) }

  /// The rows that nobody replaced: a file of a service may win over the database, and then the
  /// rows are in a version.
  private var unread: [StressNotes.Unread] {
    notes.unread.filter { row in
      !notes.replaced.contains { $0.upperBound >= row.since && $0.lowerBound <= row.at }
    }
  }

  /// The rows of the live file and of all listed versions, and those that occur more than once in
  /// one of them.
  private func rowsOfAllStates(
    _ wrong: inout [String]
  ) throws -> (rows: Set<String>, twice: Set<String>) {
    var configuration = Configuration()
    configuration.stateFolder = play.state
    configuration.monitors = false
    configuration.retention.last = 1_000_000
    let store = try SyncedDatabase(path: play.database.string, configuration: configuration)
    defer { try? store.close() }
    _ = try store.reconcile()
    var counts = try store.read(Self.counts)
    var rows = Set(counts.keys)
    var twice = Set(counts.filter { $0.value != 1 }.keys)
    let shown = play.root.appending("shown.sqlite")
    for entry in try store.history() {
      let id = entry.version.id
      do {
        try store.export(id, to: shown)
        let connection = try Connection(
          path: shown,
          Connection.Options(mode: .readOnly, immutable: true, guardPolicy: .privateCopy))
        defer { connection.close() }
        let problems = try connection.integrityCheck(limit: 1)
        if !problems.isEmpty { wrong.append("version \(id) is not whole: \(problems)") }
        counts = try Self.counts(connection)
        rows.formUnion(counts.keys)
        twice.formUnion(counts.filter { $0.value != 1 }.keys)
      } catch {
        wrong.append("version \(id) cannot be shown: \(error)")
      }
      try? files.unlink(shown)
    }
    return (rows, twice)
  }

  private static func counts(_ db: Connection) throws -> [String: Int] {
    let pairs = try db.rows("SELECT name, n FROM row") {
      (try $0.get(0) as String, try $0.get(1) as Int)
    }
    return Dictionary(pairs, uniquingKeysWith: +)
  }

  /// The rows of other programs that are neither in files that a service took out of the folder nor
  /// in quarantine.
  private func lost(_ rows: Set<String>) throws -> Set<String> {
    guard !rows.isEmpty else { return [] }
    var lost = rows.subtracting(notes.takenAway)
    let aside = FileManager.default.enumerator(atPath: play.state.string)?
      .compactMap { $0 as? String }.filter { $0.contains("damaged-") }
      .map { play.state.pushing(FilePath($0)) }
    for path in aside ?? [] where !lost.isEmpty {
      lost.subtract(StressNotes.names(in: try files.readSmall(path, limit: 1 << 30)))
    }
    return lost
  }
}

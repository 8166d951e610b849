import Corpora
import Foundation
import OpenWOFiles
package import SystemPackage

/// Torn files as services leave them, of which none may become a version, and edits as people make them, of which none may be refused.
package struct TornFiles: Sendable {
  package var files = 5_000
  package var edits = 1_000
  package var threads = 2
  package var seed: UInt64 = 1
  /// How many torn files a store gets.
  private static let share = 50

  package init() {}

  /// Plays all of it.
  package func outcome(_ folder: FilePath) -> Outcome {
    let stores = max(1, (max(files, edits) + Self.share - 1) / Self.share)
    return Jobs(jobs: Array(0..<stores), threads: threads).run { number in
      try play(
        number, folder.appending("torn-\(number)"), part(files, number, stores),
        part(edits, number, stores))
    }
  }

  /// How many of all fall to one store.
  private func part(_ all: Int, _ number: Int, _ stores: Int) -> Int {
    all * (number + 1) / stores - all * number / stores
  }

  private func play(
    _ number: Int, _ root: FilePath, _ files: Int, _ edits: Int
  ) throws -> Outcome {
    defer { try? FileManager.default.removeItem(atPath: root.string) }
    let bench = try TornBench(root, seed: seed &+ UInt64(number) &* 7919) { sql, path in
      let done = try Child.run(["sqlite3", path.string, sql])
      guard done.end == .exited(0) else { throw Failure("sqlite3: \(done.output)") }
    }
    var outcome = Outcome()
    for count in 0..<files {
      let (how, wrong) = try bench.tear()
      outcome.note("torn: \(how)", "store \(number), torn file \(count)", wrong)
    }
    for count in 0..<edits {
      outcome.note("edits", "store \(number), edit \(count)", try bench.editAsAnybody())
    }
    outcome.shares["edits that only repeat pages"] = bench.repeated
    return outcome
  }
}

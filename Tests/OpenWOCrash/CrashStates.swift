import Foundation
import OpenWOFiles
import OpenWOTestSupport
package import SystemPackage

/// Verbs that stop at every call, with all that a disk may have of what was done until then.
package struct CrashStates: Sendable {
  /// How many seeds each of the two seeded ways of losing things has.
  package var seeds = 1
  /// How many histories each verb is played upon.
  package var histories = 1
  /// Threads that share the work.
  package var threads = 24
  /// In one of this many states, the command runs before any app opens the store.
  package var commandEvery = 4
  /// The verbs; all if empty.
  package var verbs: [Verb] = []
  /// The first seed and the first history.
  package var firstSeed: UInt64 = 1

  /// A verb's stops in one part of its calls: most of a campaign waits for commands, and the longest verb would come last.
  private struct Job: Sendable, CustomStringConvertible {
    static let parts = 5

    var verb: Verb
    var history: UInt64
    var part: Int

    var description: String { "\(verb.name), history \(history)" }
  }

  package init() {}

  /// Plays all of it.
  package func outcome(_ tools: Tools, _ folder: FilePath) -> Outcome {
    let verbs = verbs.isEmpty ? Verb.all : verbs
    let jobs = (0..<histories).flatMap { number in
      verbs.flatMap { verb in
        (0..<Job.parts).map {
          Job(verb: verb, history: firstSeed &- 1 &+ UInt64(number), part: $0)
        }
      }
    }
    return Jobs(jobs: jobs, threads: threads).run { try play($0, tools, folder) }
  }

  /// The calls of each verb, for a person to read.
  package func listing(_ tools: Tools, _ folder: FilePath) throws -> String {
    var text = ""
    for verb in verbs.isEmpty ? Verb.all : verbs {
      let scene = try Scene(folder, tools, history: firstSeed &- 1)
      try verb.prepare(scene)
      let recording = try Recording.of(verb.command(scene), scene)
      text += "\(verb.name)\n"
      for (number, step) in recording.steps.enumerated() { text += "  \(number)  \(step)\n" }
    }
    return text
  }

  private func play(_ job: Job, _ tools: Tools, _ folder: FilePath) throws -> Outcome {
    let scene = try Scene(folder, tools, history: job.history)
    try job.verb.prepare(scene)
    let recording = try Recording.of(job.verb.command(scene), scene)
    var outcome = Outcome()
    var seen: Set<Int> = []
    let known = KnownContents()
    let all = recording.steps.count
    try recording.before.keepFiles(of: scene.disk, in: scene.drawer)
    var recovery = Recovery(scene, job.verb, kept: kept(scene, job.verb, recording, all), known)
    let end = try recovery.undisturbed()
    outcome.violations += recovery.violations.map { "\(job), undisturbed: \($0)" }
    let (first, last) = ((all + 1) * job.part / Job.parts, (all + 1) * (job.part + 1) / Job.parts)
    for count in first..<last {
      for persistence in ways {
        let disk = recording.disk(after: count, persistence)
        let promised = acknowledged(in: recording, until: count) + (count == all ? 1 : 0)
        guard seen.insert(disk.fingerprint &+ promised).inserted else { continue }
        try disk.materialize(at: scene.disk, from: scene.drawer)
        recovery = Recovery(scene, job.verb, kept: kept(scene, job.verb, recording, count), known)
        recovery.end = count == all ? end : nil
        recovery.isPowerFailure = persistence != .everything
        // By chance, so that no way of losing things is passed over.
        var random = SeededRandom(seed: firstSeed &+ UInt64(seen.count))
        recovery.run(byCommand: random.below(commandEvery) == 0)
        outcome.note(job.verb.name, "\(job), step \(count), \(persistence)", recovery.violations)
      }
    }
    return outcome
  }

  private var ways: [Persistence] {
    [.everything, .synced]
      + (0..<UInt64(seeds)).flatMap {
        [Persistence.ordered(firstSeed &+ $0), .scattered(firstSeed &+ $0)]
      }
  }

  private func acknowledged(in recording: Recording, until count: Int) -> Int {
    recording.steps[..<count].count {
      if case .acknowledge = $0 { return true }
      return false
    }
  }

  private func kept(
    _ scene: Scene, _ verb: Verb, _ recording: Recording, _ count: Int
  ) -> Set<String> {
    var kept = scene.kept
    for case .acknowledge(let row) in recording.steps[..<count] { kept.insert(row) }
    if count == recording.steps.count { kept.formUnion(verb.live) }
    return kept
  }
}

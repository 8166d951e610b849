import Foundation
import OpenWOFiles
import OpenWOTestSupport
package import SystemPackage

/// Verbs of which one system call fails, or all from one on, or that are killed at one.
package struct FailingCalls: Sendable {
  /// One in this many cases is played, chosen by a hash of the case.
  package var stride = 1
  package var histories = 1
  package var threads = 4
  /// The verbs; all if empty.
  package var verbs: [Verb] = []
  /// Which share of the cases is played, so that consecutive numbers play all of them; and the
  /// first history.
  package var first: UInt64 = 1

  private struct Fault: Sendable {
    var kind: String
    var number: Int
    /// 0: the program is killed.
    var errno: Int32
    /// How many calls fail: this one, five, or all from it on.
    var share = "once"

    var words: String { "\(kind):\(number):\(errno):\(share)" }
  }

  private struct Job: Sendable, CustomStringConvertible {
    var verb: Verb
    var history: UInt64

    var description: String { "\(verb.name), history \(history)" }
  }

  private static let kinds: Set = [
    "open", "read", "write", "truncate", "fsync", "rename", "unlink", "link", "mkdir", "stat",
    "list", "lock", "unlock", "flock", "allocate",
  ]

  /// The errors of some kinds of calls, besides those of all.
  private static let more: [String: [Int32]] = [
    "open": [EMFILE], "lock": [ENOLCK], "unlock": [ENOLCK], "flock": [ENOLCK],
  ]

  package init() {}

  /// Plays all of it.
  package func outcome(_ tools: Tools, _ folder: FilePath) -> Outcome {
    let verbs = verbs.isEmpty ? Verb.all : verbs
    let jobs = (0..<histories).flatMap { number in
      verbs.map { Job(verb: $0, history: first &- 1 &+ UInt64(number)) }
    }
    return Jobs(jobs: jobs, threads: threads).run { try play($0, tools, folder) }
  }

  private func play(_ job: Job, _ tools: Tools, _ folder: FilePath) throws -> Outcome {
    var outcome = Outcome()
    let known = KnownContents()
    let beginnings = Beginnings()
    let (faults, end) = try undisturbed(job, tools, folder)
    let share = first % UInt64(stride)
    for fault in faults where "\(job), \(fault.words)".steadyHash % UInt64(stride) == share {
      let scene = try Scene(folder, tools, history: job.history, beginnings)
      try job.verb.prepare(scene)
      let done = try Child.run(
        job.verb.command(scene), scene.shimmed(["OPENWO_SHIM_FAIL": fault.words]))
      scene.note(told: done.output)
      if done.end == .exited(0) { scene.kept.formUnion(job.verb.live) }
      var recovery = Recovery(scene, job.verb, kept: scene.kept, known)
      if done.end == .exited(0) { recovery.end = end }
      if !(fault.errno == 0 && done.end == .signalled(SIGKILL)) {
        recovery.expect(CommandEnd.violations(done))
      }
      recovery.run()
      if !recovery.violations.isEmpty, !done.output.isEmpty {
        recovery.expect(["it said: \(done.output.suffix(400))"])
      }
      let name = fault.errno == 0 ? "killed at \(fault.kind)" : "\(fault.kind) fails"
      outcome.note(name, "\(job), \(fault.words)", recovery.violations)
    }
    return outcome
  }

  /// All that can go wrong in a verb, and what it leaves when nothing does.
  private func undisturbed(
    _ job: Job, _ tools: Tools, _ folder: FilePath
  ) throws -> (faults: [Fault], end: Standing) {
    let scene = try Scene(folder, tools, history: job.history)
    try job.verb.prepare(scene)
    let path = scene.root.appending("count")
    let done = try Child.run(
      job.verb.command(scene), scene.shimmed(["OPENWO_SHIM_COUNT": path.string]))
    guard done.end == .exited(0) else { throw Failure("it ended so undisturbed: \(done)") }
    let text = String(
      decoding: try FileSystem().readSmall(path, limit: 1 << 16), as: UTF8.self)
    let faults = text.split(separator: "\n").flatMap { line in
      let words = line.split(separator: " ").map(String.init)
      return Self.faults(words[0], Int(words[1]) ?? 0)
    }
    var recovery = Recovery(scene, job.verb, kept: scene.kept, KnownContents())
    var end = try recovery.undisturbed()
    // Another run gives its versions other names.
    end.versions = nil
    return (faults, end)
  }

  private static func faults(_ kind: String, _ count: Int) -> [Fault] {
    guard count > 0, kinds.contains(kind) else { return [] }
    // Errors that do not last: a lock that others hold, and too many open files.
    let passing = ["lock": [EACCES], "open": [EMFILE]][kind] ?? []
    return (1...count).flatMap { number in
      let errors = [EIO, ENOSPC, EDQUOT, EACCES] + (more[kind] ?? [])
      let once = ([0, EINTR] + errors).map { Fault(kind: kind, number: number, errno: $0) }
      let few = ([EINTR] + passing).map {
        Fault(kind: kind, number: number, errno: $0, share: "five")
      }
      let all = errors.filter { !passing.contains($0) }
        .map { Fault(kind: kind, number: number, errno: $0, share: "on") }
      return once + few + all
    }
  }
}

extension String {
  /// A number that is the same in every run (FNV-1a, and once through the generator to spread it).
  fileprivate var steadyHash: UInt64 {
    var mixed = SeededRandom(
      seed: utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    return mixed.next()
  }
}

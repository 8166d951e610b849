import Foundation
import OpenWOFiles
package import SystemPackage

/// Verbs of which one system call fails, or all from one on, or that are killed at one.
package struct FailingCalls: Sendable {
  /// Each so many-th case is played.
  package var stride = 1
  package var histories = 1
  package var threads = 4
  /// The verbs; all if empty.
  package var verbs: [Verb] = []
  /// Which of the cases between two strides is played, and where the histories begin.
  package var first: UInt64 = 1

  private struct Fault: Sendable {
    var kind: String
    var number: Int
    /// 0: the program is killed.
    var errno: Int32
    var goesOn: Bool

    var words: String { "\(kind):\(number):\(errno):\(goesOn ? "on" : "once")" }
  }

  private struct Job: Sendable, CustomStringConvertible {
    var verb: Verb
    var history: UInt64

    var description: String { "\(verb.name), history \(history)" }
  }

  /// What each kind of call fails with, once or from then on; an interrupted call can be made again, and so can a lock that is taken.
  private static let errors: [String: (any: [Int32], once: [Int32])] = [
    "open": ([EIO, ENOSPC, EACCES, EDQUOT], [EINTR, EMFILE]), "read": ([EIO], [EINTR]),
    "write": ([EIO, ENOSPC, EDQUOT], [EINTR]), "truncate": ([EIO], [EINTR]),
    "fsync": ([EIO, ENOSPC, EDQUOT], [EINTR]), "rename": ([EIO, ENOSPC, EACCES, EDQUOT], []),
    "unlink": ([EIO, EACCES], []), "link": ([EIO, ENOSPC, EACCES], []),
    "mkdir": ([EIO, ENOSPC, EACCES, EDQUOT], []), "stat": ([EIO, EACCES], []),
    "list": ([EIO, EACCES], []), "lock": ([EIO, ENOLCK], [EACCES, EINTR]),
    "unlock": ([EIO, ENOLCK], []), "flock": ([EIO, ENOLCK], [EINTR]),
    "allocate": ([EIO, ENOSPC, EDQUOT], []),
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
    let (faults, end) = try undisturbed(job, tools, folder)
    var random = SeededRandom(seed: first)
    let offset = random.below(stride)
    for fault in faults[min(offset, faults.count)...].striding(by: stride) {
      let scene = try Scene(folder, tools, history: job.history)
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
    guard count > 0, let errors = errors[kind] else { return [] }
    return (1...count).flatMap { number in
      let once = (errors.any + errors.once + [0]).map { code in
        Fault(kind: kind, number: number, errno: code, goesOn: false)
      }
      return once
        + errors.any.map { code in
          Fault(kind: kind, number: number, errno: code, goesOn: true)
        }
    }
  }
}

extension ArraySlice {
  /// Each so many-th element.
  fileprivate func striding(by step: Int) -> [Element] {
    Swift.stride(from: startIndex, to: endIndex, by: step).map { self[$0] }
  }
}

import Foundation
import Synchronization

/// Pieces of work that several threads share; they may be more than there are cores, for work that mostly waits.
struct Jobs<Job: Sendable>: Sendable {
  var jobs: [Job]
  var threads: Int

  /// Does all of them; what goes wrong counts as a violation.
  func run(_ body: @escaping @Sendable (Job) throws -> Outcome) -> Outcome {
    let progress = Progress()
    let group = DispatchGroup()
    for _ in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        while let index = progress.take(of: jobs.count) {
          progress.add(outcome(index, body), of: jobs.count)
        }
        group.leave()
      }
    }
    group.wait()
    return progress.total.withLock { $0.outcome }
  }

  private func outcome(_ index: Int, _ body: @Sendable (Job) throws -> Outcome) -> Outcome {
    do {
      return try body(jobs[index])
    } catch {
      var outcome = Outcome()
      outcome.violations.append("\(jobs[index]): \(error)")
      return outcome
    }
  }

  /// The progress of all threads; a long campaign reports ten times, as it may be stopped before
  /// its end.
  private final class Progress: Sendable {
    private let next = Mutex(0)
    let total = Mutex((jobs: 0, outcome: Outcome()))

    func take(of count: Int) -> Int? {
      next.withLock { next in
        guard next < count else { return nil }
        next += 1
        return next - 1
      }
    }

    func add(_ outcome: Outcome, of count: Int) {
      total.withLock { total in
        total.outcome.add(outcome)
        total.jobs += 1
        guard total.jobs % max(count / 10, 100) == 0, total.jobs < count else { return }
        let (cases, wrong) = (total.outcome.cases, total.outcome.violations.count)
        let line = "\(total.jobs) of \(count) jobs: \(cases) cases, \(wrong) violations\n"
        FileHandle.standardError.write(Data(line.utf8))
      }
    }
  }
}

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
        while let index = progress.take(of: jobs.count) { progress.add(outcome(index, body)) }
        group.leave()
      }
    }
    group.wait()
    return progress.total.withLock { $0 }
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

  /// What is done, for all threads.
  private final class Progress: Sendable {
    private let next = Mutex(0)
    let total = Mutex(Outcome())

    func take(of count: Int) -> Int? {
      next.withLock { next in
        guard next < count else { return nil }
        next += 1
        return next - 1
      }
    }

    func add(_ outcome: Outcome) {
      total.withLock { $0.add(outcome) }
    }
  }
}

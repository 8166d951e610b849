import Dispatch
import Synchronization

/// Pieces of work that several threads share.
struct Jobs<Job: Sendable>: Sendable {
  var jobs: [Job]
  var threads: Int

  /// Does all of them; what goes wrong counts as a violation.
  func run(_ body: @Sendable (Job) throws -> Outcome) -> Outcome {
    let next = Mutex(0)
    let total = Mutex(Outcome())
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while let index = take(next) {
        do {
          let outcome = try body(jobs[index])
          total.withLock { $0.add(outcome) }
        } catch {
          total.withLock { $0.violations.append("\(jobs[index]): \(error)") }
        }
      }
    }
    return total.withLock { $0 }
  }

  private func take(_ next: borrowing Mutex<Int>) -> Int? {
    next.withLock { next in
      guard next < jobs.count else { return nil }
      next += 1
      return next - 1
    }
  }
}

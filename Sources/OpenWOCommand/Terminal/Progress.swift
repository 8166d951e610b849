import Dispatch
import Synchronization

/// A line on the terminal that says what lasts, and for how long.
final class Progress: Sendable {
  private struct Shown {
    var step: String
    var isThere = false
  }

  private let console: Console
  private let task: String
  /// How long a task may last without a word, and how often it is told after that.
  private let interval: DispatchTimeInterval
  private let shown: Mutex<Shown>
  private let stop = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)

  init(_ task: String, on console: Console, every interval: DispatchTimeInterval = .seconds(1)) {
    self.task = task
    self.console = console
    self.interval = interval
    shown = Mutex(Shown(step: ""))
  }

  /// Runs a body, which may say what it does just now.
  func run<Result>(_ body: (@escaping @Sendable (String) -> Void) throws -> Result) throws -> Result
  {
    let start = DispatchTime.now()
    DispatchQueue.global().async { [self] in
      while stop.wait(timeout: .now() + interval) == .timedOut {
        show(
          after: (DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000_000)
      }
      stopped.signal()
    }
    defer {
      stop.signal()
      stopped.wait()
      if shown.withLock({ $0.isThere }) { console.show("") }
    }
    return try body { [self] step in shown.withLock { $0.step = step } }
  }

  private func show(after seconds: UInt64) {
    let step = shown.withLock { shown in
      shown.isThere = true
      return shown.step
    }
    console.show("\(task)\(step.isEmpty ? "" : ": \(step)") … \(seconds) s")
  }
}

extension Invocation {
  /// Runs a body; a person before the terminal sees that it lasts, and what is being done.
  func withProgress<Result>(
    _ task: String, _ body: (@escaping @Sendable (String) -> Void) throws -> Result
  ) throws -> Result {
    guard console.isInteractive, !isQuiet, !isJSON else { return try body { _ in } }
    return try Progress(task, on: console).run(body)
  }
}

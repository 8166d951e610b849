import Dispatch
import OpenWOFiles
import Synchronization

/// A line on the terminal that says what lasts, and for how long.
final class Progress: Sendable {
  private struct Shown {
    var step: String
    var isThere = false
    /// The least time that was said to be left.
    var left = Int64.max
  }

  private let console: Console
  private let task: String
  /// About how many bytes are read and written in total; nil if unknown.
  private let expected: Int64?
  /// How long a task may last without a message, and the interval of messages after that.
  private let interval: DispatchTimeInterval
  private let shown: Mutex<Shown>
  private let stop = DispatchSemaphore(value: 0)
  private let stopped = DispatchSemaphore(value: 0)

  init(
    _ task: String, on console: Console, bytes expected: Int64? = nil,
    every interval: DispatchTimeInterval = .seconds(1)
  ) {
    self.task = task
    self.expected = expected
    self.console = console
    self.interval = interval
    shown = Mutex(Shown(step: ""))
  }

  /// Runs a body, which may report its current step.
  func run<Result>(_ body: (@escaping @Sendable (String) -> Void) throws -> Result) throws -> Result
  {
    let start = DispatchTime.now()
    let bytesBefore = expected == nil ? nil : OwnProcess.bytesMoved
    // A queue of its own has a thread even if the shared ones are all busy.
    DispatchQueue(label: "openwo.progress").async { [self] in
      while stop.wait(timeout: .now() + interval) == .timedOut {
        let time = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
        let moved = bytesBefore.flatMap { before in OwnProcess.bytesMoved.map { $0 - before } }
        show(after: time / 1_000_000_000, moved: moved)
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

  private func show(after seconds: UInt64, moved: Int64?) {
    let (step, bytes) = shown.withLock { shown in
      shown.isThere = true
      return (shown.step, Self.bytes(moved, of: expected, after: seconds, &shown.left))
    }
    let what = "\(task)\(step.isEmpty ? "" : ": \(step)")"
    console.show("\(what) … \(seconds) s\(bytes.map { ", \($0)" } ?? "")")
  }

  /// The progress and the remaining time at this pace: `40 MB of about 90 MB, 3 s left`; nil if
  /// unknown.
  ///
  /// A remaining time that grows is not shown, for example while the work computes and moves
  /// nothing: then only `least` counts.
  static func bytes(
    _ moved: Int64?, of expected: Int64?, after seconds: UInt64, _ least: inout Int64
  ) -> String? {
    guard let moved, let expected, moved > 0 else { return nil }
    // The expected size was a guess; beyond it, the end is unknown.
    guard moved < expected, seconds > 0 else { return Style.size(moved) }
    let left = Int64(
      (Double(expected - moved) / Double(moved) * Double(seconds)).rounded(.up))
    let size = "\(Style.size(moved)) of about \(Style.size(expected))"
    guard left <= least else { return size }
    least = left
    return "\(size), \(Style.span(left)) left"
  }
}

extension Invocation {
  /// Runs a body; a person before the terminal sees that it lasts, and what is being done.
  ///
  /// `factor` is about how many times the size of the database is read and written.
  func withProgress<Result>(
    _ task: String, reading factor: Int64? = nil,
    _ body: (@escaping @Sendable (String) -> Void) throws -> Result
  ) throws -> Result {
    guard console.isInteractive, !isQuiet, !isJSON else { return try body { _ in } }
    let size = try factor.flatMap { factor in try sizeOfDatabase().map { $0 * factor } }
    return try Progress(task, on: console, bytes: size).run(body)
  }

  /// The size of the database's file; nil if it is not there.
  func sizeOfDatabase() throws -> Int64? {
    try FileSystem().statusIfPresent(database().resolved)?.size
  }

  /// Warns that something needs as much space again as the database, if that is much.
  func sayRoomNeeded(_ what: String) throws {
    guard console.isInteractive, !isQuiet, !isJSON, let size = try sizeOfDatabase(),
      size >= 50_000_000
    else { return }
    console.remark("\(what) takes up to \(Style.size(size)) beside the database")
  }
}

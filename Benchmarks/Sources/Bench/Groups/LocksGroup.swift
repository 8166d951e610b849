import CPeers
import Foundation
import OpenWOFiles
import SystemPackage

/// How soon somebody who waits for a lock has it once it is given back.
enum LocksGroup {
  static func run(_ context: Context) throws {
    let folder = try context.folder("locks")
    guard Child.exists("flock") else {
      return context.report.skip("locks", "flock(1) is not installed")
    }
    let file = "\(folder)/lock"
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    func handOver(to waiter: Child) throws -> Sample {
      let held = try OSLock.acquire(
        .exclusive, on: .file(FilePath(file)), clock: SystemClock(), fileSystem: FileSystem())
      let done = Outlet()
      let thread = Thread { done.put(Result { try waiter.run() }) }
      thread.start()
      // Long enough for it to have started and to be waiting.
      Thread.sleep(forTimeInterval: 0.2)
      return try Sample.of {
        held.release()
        _ = try done.take()
      }
    }
    context.add(
      try Comparison(
        "locks", "hand-over of a lock to a program that waits, its end included",
        rounds: context.rounds(21, short: 9),
        [
          Case(measuring: "OSLock") {
            try handOver(to: Child(CommandLine.arguments[0], "--child", "lock", file))
          },
          Case(measuring: "flock(1)") { try handOver(to: Child("flock", file, "true")) },
        ], goals: [.atMost(2, times: "flock(1)", .wall)]))
  }

  /// Hands a result from one thread to another.
  final class Outlet: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Sample, any Error>?

    func put(_ new: Result<Sample, any Error>) {
      condition.lock()
      result = new
      condition.signal()
      condition.unlock()
    }

    func take() throws -> Sample {
      condition.lock()
      defer { condition.unlock() }
      while true {
        if let result { return try result.get() }
        condition.wait()
      }
    }
  }
}

import Dispatch
import OpenWOFiles
import Synchronization

/// A look that may take longer than anybody wants to wait.
final class TimedLook: Sendable {
  private typealias Waiting = CheckedContinuation<FolderFinding, Never>
  private let waiting = Mutex<Waiting?>(nil)

  /// The finding, or `unknown` when the limit comes first; a late finding is handed on.
  static func look(
    at folder: String?, _ probe: any FolderProbing, limit: Duration,
    late: @escaping @Sendable (FolderFinding) -> Void
  ) async -> FolderFinding {
    guard let folder else { return FolderFinding(.noAccount) }
    let look = TimedLook()
    return await withCheckedContinuation { continuation in
      look.waiting.withLock { $0 = continuation }
      // A thread of its own: one that hangs on a dead file server hangs alone.
      DispatchQueue(label: "openwo.probe").async {
        let finding = probe.look(at: folder)
        if !look.answer(finding) { late(finding) }
      }
      DispatchQueue.global().asyncAfter(
        deadline: .now() + .nanoseconds(Int(limit.nanoseconds))
      ) { _ = look.answer(.unknown) }
    }
  }

  /// Answers the waiting caller; false if another answer was faster.
  private func answer(_ finding: FolderFinding) -> Bool {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(returning: finding)
    return continuation != nil
  }
}

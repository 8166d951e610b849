import Dispatch
import OpenWOApp
import Synchronization

/// Looks at folders without letting anybody wait for one that hangs, such as one of a file server that is gone.
///
/// Until it answers nothing is known of it; after a while it counts as one that does not answer.
final class PatientProbe: FolderProbing {
  private let probe: any FolderProbing
  private let limit: Duration
  private let looks: PatientLooks<FolderFinding>

  init(
    _ probe: any FolderProbing = FolderProbe(), patience: Duration = .milliseconds(200),
    limit: Duration = .seconds(10)
  ) {
    (self.probe, self.limit) = (probe, limit)
    looks = PatientLooks(patience: patience)
  }

  func look(at folder: String) -> FolderFinding {
    let look = looks.look(at: folder) { [probe] in probe.look(at: folder) }
    if let found = look.found { return found }
    return look.waited < limit ? .notYet : FolderFinding(.unknown, .serviceUnavailable)
  }
}

/// Looks at things that may hang, one look at a time for each, and waits only a moment for an answer.
final class PatientLooks<Found: Sendable>: Sendable {
  private struct Look {
    var since = ContinuousClock.now
    var isDone = true
    var last: Found?
  }

  private let patience: Duration
  private let looks = Mutex<[String: Look]>([:])

  init(patience: Duration = .milliseconds(200)) {
    self.patience = patience
  }

  /// Looks once; nil if there is no answer yet, and how long the look has waited.
  func look(
    at name: String, _ body: @escaping @Sendable () -> Found
  ) -> (found: Found?, waited: Duration) {
    let answered = DispatchSemaphore(value: 0)
    let isFree = looks.withLock { looks in
      guard looks[name, default: Look()].isDone else { return false }
      looks[name] = Look(isDone: false)
      return true
    }
    if isFree {
      // A thread of its own: one that hangs hangs alone.
      DispatchQueue(label: "openwo.look").async { [self] in
        let found = body()
        looks.withLock {
          $0[name]?.last = found
          $0[name]?.isDone = true
        }
        answered.signal()
      }
      _ = answered.wait(timeout: .now() + patience.timeInterval)
    }
    return looks.withLock { looks in
      (looks[name]?.last, looks[name]?.since.duration(to: .now) ?? .zero)
    }
  }
}

extension Duration {
  fileprivate var timeInterval: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

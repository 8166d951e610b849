import Dispatch
import OpenWOApp
import Synchronization

/// Looks at folders without letting anybody wait for one that hangs, such as one of a file server that is gone.
///
/// Until it answers nothing is known of it; after a while it counts as one that does not answer.
final class PatientProbe: FolderProbing {
  private struct Look {
    var since = ContinuousClock.now
    var isDone = true
    var last: FolderFinding?
  }

  private let probe: any FolderProbing
  private let patience: Duration
  private let limit: Duration
  private let looks = Mutex<[String: Look]>([:])

  init(
    _ probe: any FolderProbing = FolderProbe(), patience: Duration = .milliseconds(200),
    limit: Duration = .seconds(10)
  ) {
    (self.probe, self.patience, self.limit) = (probe, patience, limit)
  }

  func look(at folder: String) -> FolderFinding {
    let answered = DispatchSemaphore(value: 0)
    let isFree = looks.withLock { looks in
      guard looks[folder, default: Look()].isDone else { return false }
      looks[folder, default: Look()].isDone = false
      looks[folder]?.since = .now
      looks[folder]?.last = nil
      return true
    }
    if isFree {
      // A thread of its own: one that hangs hangs alone.
      DispatchQueue(label: "openwo.probe").async { [self] in
        let found = probe.look(at: folder)
        looks.withLock {
          $0[folder]?.last = found
          $0[folder]?.isDone = true
        }
        answered.signal()
      }
      _ = answered.wait(timeout: .now() + patience.timeInterval)
    }
    return looks.withLock { looks in
      let look = looks[folder]
      if let last = look?.last { return last }
      let waited = look?.since.duration(to: .now) ?? .zero
      return waited < limit ? .notYet : FolderFinding(.unknown, .serviceUnavailable)
    }
  }
}

extension Duration {
  fileprivate var timeInterval: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

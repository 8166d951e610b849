import Dispatch
import OpenWOApp

/// A folder on a file server that does not answer until it is told to.
final class HangingFolder: FolderProbing {
  private let answered = DispatchSemaphore(value: 0)

  func answer() { answered.signal() }

  func look(at folder: String) -> FolderFinding {
    answered.wait()
    answered.signal()
    return FolderFinding(.available)
  }
}

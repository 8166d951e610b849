public import OpenWOApp
import Synchronization

/// A look at a synced folder that finds what a test says.
public final class FixedFolder: FolderProbing {
  private let finding: Mutex<FolderFinding>

  /// Makes a look with its first finding.
  public init(_ finding: FolderFinding) {
    self.finding = Mutex(finding)
  }

  /// Sets what is found from now on.
  public func set(_ new: FolderFinding) { finding.withLock { $0 = new } }

  /// What a test said last.
  public func look(at folder: String) -> FolderFinding { finding.withLock { $0 } }
}

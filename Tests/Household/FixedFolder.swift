package import OpenWOApp
import Synchronization

/// A look at a folder that finds what a test says.
package final class FixedFolder: FolderProbing {
  private let finding: Mutex<FolderFinding>

  package init(_ finding: FolderFinding) {
    self.finding = Mutex(finding)
  }

  package func set(_ new: FolderFinding) { finding.withLock { $0 = new } }

  package func look(at folder: String) -> FolderFinding { finding.withLock { $0 } }
}

import OpenWOCFiles
import Synchronization
package import SystemPackage

/// An open file, closed when nobody refers to it any more.
package final class Descriptor: Sendable {
  /// The path it was opened by.
  package let path: FilePath
  private let raw: Atomic<Int32>

  /// Takes over an open descriptor of the system's.
  package init(_ number: Int32, path: FilePath) {
    raw = Atomic(number)
    self.path = path
  }

  deinit {
    let number = surrender()
    if number >= 0 { _ = OpenWOCFiles.close(number) }
  }

  /// The system's number, −1 once closed.
  package var number: Int32 { raw.load(ordering: .acquiring) }

  /// Gives the number away: the receiver closes it.
  func surrender() -> Int32 { raw.exchange(-1, ordering: .acquiringAndReleasing) }
}

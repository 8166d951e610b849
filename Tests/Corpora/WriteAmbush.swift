import Foundation
import Synchronization

/// Does something once, right before SQLite writes into one file for the n-th time from now on.
///
/// The file is known by its number, so no other file in the process is affected.
package final class WriteAmbush: Sendable {
  private struct Plan {
    var left: Int
    let action: @Sendable () -> Void
  }

  private static let plans = Mutex<[UInt64: Plan]>([:])

  private let inode: UInt64

  /// Acts right before the write with this number, counted from 0.
  package init(on path: String, before number: Int, _ action: @escaping @Sendable () -> Void) {
    _ = Self.arranged
    var status = stat()
    stat(path, &status)
    inode = UInt64(status.st_ino)
    Self.plans.withLock { [inode] in $0[inode] = Plan(left: number, action: action) }
  }

  deinit { Self.plans.withLock { [inode] in $0[inode] = nil } }

  package var hasActed: Bool { Self.plans.withLock { [inode] in $0[inode] == nil } }

  private static let arranged =
    [SQLiteCalls.replace("pwrite64", with: writing), SQLiteCalls.replace("pwrite", with: writing)]

  private static let writing: @convention(c) (CInt, UnsafeRawPointer?, Int, Int64) -> Int = {
    file, bytes, count, offset in
    var status = stat()
    fstat(file, &status)
    let action = plans.withLock { plans -> (@Sendable () -> Void)? in
      guard let plan = plans[UInt64(status.st_ino)] else { return nil }
      plans[UInt64(status.st_ino)] = Plan(left: plan.left - 1, action: plan.action)
      guard plan.left == 0 else { return nil }
      plans[UInt64(status.st_ino)] = nil
      return plan.action
    }
    action?()
    return pwrite(file, bytes, count, off_t(offset))
  }
}

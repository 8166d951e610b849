import OpenWOCSQLite
import Synchronization

/// Stops what a connection is doing, from any thread.
///
/// The running statement fails with ``ResultCode/interrupt``; a write is rolled back. See
/// <https://sqlite.org/c3ref/interrupt.html>.
public final class InterruptToken: Sendable {
  // The address of the handle while it is open. The lock keeps it from being closed under the call.
  private let address: Mutex<UInt>

  init(_ handle: OpaquePointer?) {
    address = Mutex(UInt(bitPattern: handle))
  }

  /// Stops the statements that are running now; does nothing if there are none.
  public func interrupt() {
    address.withLock { address in
      if let handle = OpaquePointer(bitPattern: address) { sqlite3_interrupt(handle) }
    }
  }

  func disarm() {
    address.withLock { $0 = 0 }
  }
}

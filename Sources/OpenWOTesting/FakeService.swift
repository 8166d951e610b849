import OpenWOFiles
import Synchronization
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A service that mirrors the devices' synced folders, and that can be late, tear files, and make
/// conflict copies.
///
/// A file that two devices changed apart becomes the newer one, and the older one stays beside it as
/// a conflict copy. Call it between calls of the stores, never within a transaction: it reads the
/// database in this very process, which takes SQLite's locks on it away
/// (<https://sqlite.org/howtocorrupt.html>, 2.2).
public final class FakeService: Sendable {
  /// How the service names conflict copies.
  public enum ConflictNames: Sendable {
    /// `x.sync-conflict-20261128-153012-ABCDEFG.sqlite`.
    case syncthing
    /// `x (mac's conflicted copy 2026-11-28).sqlite`, the next one with ` 1` after the date.
    case dropbox
  }

  /// A file as the service has it.
  struct Item: Sendable, Equatable {
    var bytes: [UInt8]
    /// Nanoseconds since 1970.
    var modified: Int64
  }

  struct State: Sendable {
    /// The files of the service.
    var cloud: [String: Item] = [:]
    /// The files of each device when they were last in step.
    var known: [String: [String: Item]] = [:]
    /// The torn files that are still to become whole, as they were left.
    var torn: [String: [String: [UInt8]]] = [:]
    var toTear: Set<String> = []
    var isHeld: (@Sendable (String) -> Bool)?
  }

  let state = Mutex(State())
  let root: URL
  let clock: TestClock
  let conflictNames: ConflictNames
  private let names: [String]

  init(_ root: URL, _ names: [String], _ clock: TestClock, _ conflictNames: ConflictNames) {
    (self.root, self.names, self.clock, self.conflictNames) = (root, names, clock, conflictNames)
  }

  static func folder(_ device: String, in root: URL) -> URL {
    root.appending(path: "folder-\(device)")
  }

  /// Brings the folders of these devices in step, or of all; one that is not named is off or without
  /// a network.
  ///
  /// Ten seconds pass afterwards, so that stores take the files for arrived.
  ///
  /// - Throws: An error of the file system.
  public func carry(_ devices: String...) throws {
    let devices = devices.isEmpty ? names : devices
    try state.withLock { state in
      // The second time brings the first devices what the last ones had.
      for device in devices + devices { try bring(device, &state) }
      state.toTear = []
    }
    clock.advance(by: .seconds(10))
  }

  /// Leaves files where they are from now on, as a service that is late does.
  ///
  /// The paths are within the synced folder: `{ $0.hasSuffix(".sqlite") }` holds the database back,
  /// `{ $0.contains(".openwo/versions/") }` the versions beside it.
  public func hold(where isHeld: @escaping @Sendable (_ path: String) -> Bool) {
    state.withLock { $0.isHeld = isHeld }
  }

  /// Carries all files again; they move with the next ``carry(_:)``.
  public func release() {
    state.withLock { $0.isHeld = nil }
  }

  /// Tears a file that the next ``carry(_:)`` delivers: each device that gets it has the first half
  /// of the new content over the old one, until the carry after that.
  public func tear(_ path: String) {
    state.withLock { state in _ = state.toTear.insert(path) }
  }

  /// A device that was wiped has none of the files any more.
  func forget(_ device: String) {
    state.withLock { state in
      state.known[device] = nil
      state.torn[device] = nil
    }
  }
}

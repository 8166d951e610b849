import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage

extension ScratchFolder {
  /// A connection to a file in the folder that is made when missing.
  func open(
    _ name: String = "a.db", mode: Connection.Options.Mode = .create,
    policy: GuardPolicy = .privateCopy, busyTimeout: Duration = .zero
  ) throws -> Connection {
    try Connection(
      path: self(name), .init(mode: mode, guardPolicy: policy, busyTimeout: busyTimeout))
  }

  /// Writes into a file in place, as a program does that is no friend of atomic replacement.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name).string))
  }
}

/// The facts that a version records about its database.
package struct ContentFacts: Hashable, Sendable {
  /// The tree hash of the file.
  package let hash: ContentHash
  /// The size of the file in bytes.
  package let bytes: Int64
  /// The size of a page: a power of two from 512 to 65536.
  package let pageSize: Int
  /// SQLite's `user_version`.
  package let userVersion: Int32
  /// SQLite's `application_id`.
  package let applicationID: Int32

  /// The largest file that a version can hold: more than SQLite's own limit would be one page too many.
  package static let byteLimit: Int64 = 1 << 47

  /// Puts the facts together; ``Version`` checks them.
  package init(
    hash: ContentHash, bytes: Int64, pageSize: Int, userVersion: Int32, applicationID: Int32
  ) {
    self.hash = hash
    self.bytes = bytes
    self.pageSize = pageSize
    self.userVersion = userVersion
    self.applicationID = applicationID
  }

  /// Whether there can be a page of this size.
  package static func isPageSize(_ size: some BinaryInteger) -> Bool {
    512...65_536 ~= size && size & (size - 1) == 0
  }
}

/// Why a version was made.
///
/// A reason from a newer openwo is kept as it is.
public struct VersionReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The word in the version file.
  public let rawValue: String

  /// Takes the word from a version file.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The word in the version file.
  public var description: String { rawValue }

  /// The store was made.
  public static let create = VersionReason(rawValue: "create")
  /// The app wrote.
  public static let write = VersionReason(rawValue: "write")
  /// A lock was taken, and this is the state before it.
  public static let lock = VersionReason(rawValue: "lock")
  /// A person edited under a lock.
  public static let edit = VersionReason(rawValue: "edit")
  /// A program that does not use openwo changed the file.
  public static let external = VersionReason(rawValue: "external")
  /// The live file was made equal to a version from elsewhere.
  public static let adopt = VersionReason(rawValue: "adopt")
  /// An older version was brought back.
  public static let restore = VersionReason(rawValue: "restore")
  /// The rows of several heads were merged.
  public static let merge = VersionReason(rawValue: "merge")
  /// The last writer won over the other heads.
  public static let settle = VersionReason(rawValue: "settle")
  /// The app changed the schema.
  public static let migrate = VersionReason(rawValue: "migrate")
}

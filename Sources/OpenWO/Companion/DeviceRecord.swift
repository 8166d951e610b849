import OpenWOHistory

/// `devices/<device>.json`: what one device says of itself to the others; written by that device alone.
struct DeviceRecord: Sendable, Hashable, Codable {
  static let currentFormat = 1

  var format: Int
  var id: String
  var name: String
  /// The version its live file is a copy of.
  var head: VersionID?
  /// When it checked out that version.
  var headSince: Timestamp?
  var lastSeen: Timestamp
  /// The locks of other devices that it has acknowledged, with its head at that time.
  var acknowledged: [Acknowledgement]
  /// Locks that it has ended: its own, and others' by force; of those whose file is gone no more than the last ``mostRevoked``.
  var revoked: [String]
  /// How two sides are to become one from a moment on; of all devices' words the latest counts.
  var policy: Choice?
  /// Names that it has given to versions, or taken from them; of all devices' words on a name the latest counts.
  var pins: [Pin]?
  /// Devices that a person has told to be gone for good.
  var forgotten: [Gone]?

  /// How many ended locks are remembered.
  private static let mostRevoked = 32

  /// Records that a lock has ended; locks whose files are still there are remembered, however many
  /// came after them.
  mutating func revoke(_ lock: String, keeping inSight: Set<String> = []) {
    let before = revoked.filter { $0 != lock }
    let latest = Set(before.suffix(Self.mostRevoked - 1))
    revoked = before.filter { latest.contains($0) || inSight.contains($0) } + [lock]
  }

  /// Takes over the statements that only this device can repeat: which locks have ended, and how
  /// heads are resolved.
  mutating func repeatWords(of said: DeviceRecord) {
    let others = revoked.filter { !said.revoked.contains($0) }
    revoked = others.suffix(max(0, Self.mostRevoked - said.revoked.count)) + said.revoked
    if let choice = said.policy, policy.map({ $0.at < choice.at }) ?? true { policy = choice }
    for pin in said.pins ?? []
    where !(pins ?? []).contains(where: { $0.name == pin.name && $0.at >= pin.at }) {
      note(pin)
    }
    for gone in said.forgotten ?? [] { note(gone) }
  }

  /// Notes that a device is gone for good; that was said of what it had last shown of itself.
  mutating func note(_ gone: Gone) {
    if forgotten?.contains(gone) != true { forgotten = (forgotten ?? []) + [gone] }
  }

  /// Notes a word on a name in the place of an earlier one.
  mutating func note(_ pin: Pin) {
    pins = (pins ?? []).filter { $0.name != pin.name } + [pin]
  }

  /// A name of a version.
  struct Pin: Sendable, Hashable, Codable {
    var name: String
    /// The version that has it; nil: it was taken away.
    var version: VersionID?
    var at: Timestamp
  }

  /// A device that is gone for good, unless it has shown itself again since.
  struct Gone: Sendable, Hashable, Codable {
    var device: String
    /// The last time in its file when it was forgotten; nil: it had no file.
    var lastSeen: Timestamp?
  }

  /// A lock that this device has acknowledged.
  struct Acknowledgement: Sendable, Hashable, Codable {
    var lock: String
    var head: VersionID?
    var at: Timestamp
  }

  /// A word of this device on how two sides become one.
  struct Choice: Sendable, Hashable, Codable {
    var settling: String
    /// The merge rules by table; nil: the earlier ones.
    var rules: [String: String]?
    /// What was said about tables that their definitions do not say; nil: what was said before.
    var declarations: [MergeDeclaration]?
    var at: Timestamp
  }
}

/// One captured state of the database: what it was, who made it, when, and from what.
///
/// A version never changes. Its ``id`` is computed from all the rest, so equal ids mean equal versions.
public struct Version: Sendable, Hashable, Identifiable {
  /// The SHA-256 of everything else in the version.
  public let id: VersionID
  /// The versions it was made from, sorted; none for a first version.
  public let parents: [VersionID]
  /// The id of the device that made it; `settle` when it follows from its parents alone.
  public let device: String
  /// The name of that device, for people.
  public let deviceName: String
  /// When it was made, by the hybrid logical clock of its device.
  package let at: HybridTime
  /// What it says about the database.
  package let facts: ContentFacts
  /// Why it was made.
  public let reason: VersionReason
  /// What a person wrote about it.
  public let note: String?
  /// Fields that a newer openwo wrote and that this one does not know; the id covers them.
  package let unknownFields: [JSONMember]

  /// Makes a version and computes its id.
  ///
  /// A device name and a note that are too long are cut at the end of a character.
  ///
  /// - Parameters:
  ///   - facts: What is to be said about the database.
  ///   - parents: The versions it is made from, in any order.
  ///   - device: The id of the device, of 1 to 23 letters, digits, `-` and `_`.
  ///   - deviceName: The name of the device, for people.
  ///   - at: The stamp of the device's clock.
  ///   - reason: Why it is made.
  ///   - note: What a person wrote about it.
  /// - Throws: ``HistoryError/malformed(_:)`` when a field is outside what the format can hold.
  package init(
    facts: ContentFacts, parents: some Sequence<VersionID>, device: String, deviceName: String,
    at: HybridTime, reason: VersionReason, note: String? = nil
  ) throws(HistoryError) {
    try self.init(
      facts: facts, parents: Set(parents).sorted(), device: device,
      deviceName: Limit.clip(deviceName, to: Limit.deviceNameBytes), at: at, reason: reason,
      note: note.map { Limit.clip($0, to: Limit.noteBytes) }, unknownFields: [])
  }

  init(
    facts: ContentFacts, parents: [VersionID], device: String, deviceName: String, at: HybridTime,
    reason: VersionReason, note: String?, unknownFields: [JSONMember]
  ) throws(HistoryError) {
    self.parents = parents
    self.device = device
    self.deviceName = deviceName
    self.at = at
    self.facts = facts
    self.reason = reason
    self.note = note
    self.unknownFields = unknownFields
    let form = Self.canonicalForm(
      Self.members(
        facts: facts, parents: parents, device: device, deviceName: deviceName, at: at,
        reason: reason, note: note) + unknownFields)
    id = VersionID(Digest(hashing: form))
    try Limit.check(self)
  }

  /// Makes a version with an id that nobody computed, for graphs that cannot come from files.
  init(id: VersionID, like other: Version, parents: [VersionID]) {
    self.id = id
    self.parents = parents
    (device, deviceName, at) = (other.device, other.deviceName, other.at)
    (facts, reason, note) = (other.facts, other.reason, other.note)
    unknownFields = other.unknownFields
  }

  /// Equal ids are equal versions.
  public static func == (left: Version, right: Version) -> Bool { left.id == right.id }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Version {
  /// The tree hash of the database file.
  package var content: ContentHash { facts.hash }
  /// The size of the database file in bytes.
  public var bytes: Int64 { facts.bytes }
  /// The size of a database page in bytes.
  public var pageSize: Int { facts.pageSize }
  /// SQLite's `user_version`.
  public var userVersion: Int32 { facts.userVersion }
  /// SQLite's `application_id`.
  public var applicationID: Int32 { facts.applicationID }
}

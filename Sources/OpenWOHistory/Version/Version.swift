/// One captured state of the database: its content, who made it, when, and from which versions.
///
/// A version never changes. Its ``id`` is computed from all the rest, so equal ids mean equal versions.
public struct Version: Sendable, Hashable, Identifiable {
  private let storage: Storage

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
  ///   - note: A person's note about it.
  ///   - members: Members of the header that the first readers of the format do not know.
  /// - Throws: ``HistoryError/malformed(_:)`` when a field is outside what the format can hold.
  package init(
    facts: ContentFacts, parents: some Sequence<VersionID>, device: String, deviceName: String,
    at: HybridTime, reason: VersionReason, note: String? = nil, members: [JSONMember] = []
  ) throws(HistoryError) {
    let object = members.isEmpty ? nil : JSONValue.object(unsorted: members)
    try self.init(
      Fields(
        parents: Set(parents).sorted(), device: device,
        deviceName: Limit.clip(deviceName, to: Limit.deviceNameBytes), at: at, facts: facts,
        reason: reason, note: note.map { Limit.clip($0, to: Limit.noteBytes) },
        unknown: object?.canonicalForm))
  }

  init(_ fields: Fields) throws(HistoryError) {
    try Limit.check(fields)
    storage = Storage(id: VersionID(Digest(hashing: fields.canonicalForm)), fields: fields)
  }

  /// Makes a version whose id was computed before.
  init(trusting id: VersionID, _ fields: Fields) {
    storage = Storage(id: id, fields: fields)
  }

  /// Equal ids are equal versions.
  public static func == (left: Version, right: Version) -> Bool { left.id == right.id }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Version {
  /// A version without its id.
  struct Fields: Sendable {
    var parents: [VersionID]
    let device: String
    let deviceName: String
    let at: HybridTime
    let facts: ContentFacts
    let reason: VersionReason
    let note: String?
    /// The object of the members that not every openwo knows, in canonical form; nil for none.
    ///
    /// The id covers them. They are kept as bytes, as a list of small values takes many times their memory.
    var unknown: [UInt8]?
  }

  /// One object for all copies of a version, so that lists of thousands are cheap to copy and to sort.
  private final class Storage: Sendable {
    let id: VersionID
    let fields: Fields
    let provenance: Provenance?

    init(id: VersionID, fields: Fields) {
      (self.id, self.fields, provenance) = (id, fields, Provenance(fields))
    }
  }

  var fields: Fields { storage.fields }
  var provenance: Provenance? { storage.provenance }

  /// The SHA-256 of everything else in the version.
  public var id: VersionID { storage.id }
  /// The ids of its parents, sorted; none for a first version.
  public var parents: [VersionID] { storage.fields.parents }
  /// The id of the device that made it; `settle` if it follows from its parents alone.
  public var device: String { storage.fields.device }
  /// The name of that device, for people.
  public var deviceName: String { storage.fields.deviceName }
  /// When it was made, by the hybrid logical clock of its device.
  package var at: HybridTime { storage.fields.at }
  /// The facts that it records about the database.
  package var facts: ContentFacts { storage.fields.facts }
  /// Why it was made.
  public var reason: VersionReason { storage.fields.reason }
  /// A person's note about it.
  public var note: String? { storage.fields.note }
  /// The tree hash of the database file.
  package var content: ContentHash { storage.fields.facts.hash }
  /// The size of the database file in bytes.
  public var bytes: Int64 { facts.bytes }
  /// The size of a database page in bytes.
  public var pageSize: Int { facts.pageSize }
  /// SQLite's `user_version`.
  public var userVersion: Int32 { facts.userVersion }
  /// SQLite's `application_id`.
  public var applicationID: Int32 { facts.applicationID }
}

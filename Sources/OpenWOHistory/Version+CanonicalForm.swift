extension Version {
  /// The format of version files that this openwo writes, and the newest that it reads.
  package static let format: Int64 = 1

  /// What the id is computed from: all fields but `id`, `payload` and `base`, known or not.
  package var canonicalForm: [UInt8] { Self.canonicalForm(members) }

  /// The fields of the version itself, unsorted.
  var members: [JSONMember] {
    Self.members(
      facts: facts, parents: parents, device: device, deviceName: deviceName, at: at,
      reason: reason, note: note) + unknownFields
  }

  static func canonicalForm(_ members: [JSONMember]) -> [UInt8] {
    // Known names are different, and unknown ones were read from an object that has each name once.
    (JSONValue.object(unsorted: members) ?? .null).canonicalForm
  }

  static func members(
    facts: ContentFacts, parents: [VersionID], device: String, deviceName: String, at: HybridTime,
    reason: VersionReason, note: String?
  ) -> [JSONMember] {
    let members = [
      JSONMember("format", .integer(format)),
      JSONMember("parents", .array(parents.map { .string($0.description) })),
      JSONMember("device", .string(device)),
      JSONMember("deviceName", .string(deviceName)),
      JSONMember("at", .string(at.description)),
      JSONMember("content", .string(facts.hash.description)),
      JSONMember("bytes", .integer(facts.bytes)),
      JSONMember("pageSize", .integer(Int64(facts.pageSize))),
      JSONMember("userVersion", .integer(Int64(facts.userVersion))),
      JSONMember("applicationID", .integer(Int64(facts.applicationID))),
      JSONMember("reason", .string(reason.rawValue)),
    ]
    return note.map { members + [JSONMember("note", .string($0))] } ?? members
  }
}

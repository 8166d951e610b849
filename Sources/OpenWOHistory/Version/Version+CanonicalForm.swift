extension Version {
  /// The format of version files that this openwo writes, and the newest that it reads.
  package static let format: Int64 = 1

  /// The input of the id: all fields except `id`, `payload` and `base`, known or not.
  package var canonicalForm: [UInt8] { fields.canonicalForm }
}

extension Version.Fields {
  var canonicalForm: [UInt8] { Self.canonicalForm(members) }

  /// The form of members with different names; unknown ones were read from an object that has each name once.
  static func canonicalForm(_ members: [JSONMember]) -> [UInt8] {
    (JSONValue.object(unsorted: members) ?? .null).canonicalForm
  }

  /// All fields, unsorted.
  var members: [JSONMember] {
    var members = unknownMembers
    members += [
      JSONMember("format", .integer(Version.format)),
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
    if let note { members.append(JSONMember("note", .string(note))) }
    return members
  }

  /// The members that not every openwo knows, with their values.
  var newerMembers: [JSONMember] {
    guard let unknown, case .object(let members)? = try? JSONParser.parse(unknown) else {
      return []
    }
    return members
  }

  private var unknownMembers: [JSONMember] {
    unknown.map(JSONValue.members(ofCanonical:)) ?? []
  }
}

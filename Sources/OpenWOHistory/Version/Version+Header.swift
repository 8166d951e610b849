extension Version {
  /// Takes a version out of a header and leaves the unknown fields.
  ///
  /// The id is computed again and must be the one that the header names.
  init(from fields: inout HeaderFields) throws(HistoryError) {
    let id = try fields.take("id", as: { VersionID($0) })
    let names = try fields.takeStrings("parents", limit: Limit.parents)
    let parents = names.compactMap { VersionID($0) }
    guard parents.count == names.count else { throw .malformed("a parent is not a version id") }
    let device = try fields.takeString("device")
    let deviceName = try fields.takeString("deviceName")
    let at = try fields.take("at", as: { HybridTime($0) })
    let facts = try ContentFacts(from: &fields)
    let reason = VersionReason(rawValue: try fields.takeString("reason"))
    let note = try fields.takeOptionalString("note")
    try self.init(
      Fields(
        parents: parents, device: device, deviceName: deviceName, at: at, facts: facts,
        reason: reason, note: note, unknown: fields.rest))
    guard self.id == id else { throw .malformed("the id does not fit the header") }
  }
}

extension ContentFacts {
  fileprivate init(from fields: inout HeaderFields) throws(HistoryError) {
    let word = Int64(Int32.min)...Int64(Int32.max)
    self.init(
      hash: try fields.take("content", as: { ContentHash(hex: $0) }),
      bytes: try fields.takeInteger("bytes", in: 0...Self.byteLimit),
      pageSize: Int(try fields.takeInteger("pageSize", in: 512...65_536)),
      userVersion: Int32(try fields.takeInteger("userVersion", in: word)),
      applicationID: Int32(try fields.takeInteger("applicationID", in: word)))
  }
}

/// Members of a header that are newer than the first edition of the format; older readers keep
/// them.
extension Version {
  /// For the first version of a store: its `store.json` as text; nil if it is not recorded.
  package var manifest: String? {
    guard reason == .create, case .string(let text)? = member("manifest") else { return nil }
    return text
  }

  /// The member that says that a person decided something about a merge.
  static let chosen = JSONMember("chosen", .bool(true))

  /// The member that says that versions were missing when a merge was made.
  static let partial = JSONMember("partial", .bool(true))

  /// The member that says that a content was found in a copy whose name may be a person's own.
  package static let aside = JSONMember("aside", .bool(true))

  /// The member that says that a content was found.
  package static let delivered = JSONMember("delivered", .bool(true))

  /// The member with a store's `store.json`; nil if it would not fit into a header.
  package static func manifest(_ text: String) -> JSONMember? {
    let member = JSONMember("manifest", .string(text))
    let size = JSONValue.object([member]).canonicalForm.count
    return size <= Limit.unknownBytes ? member : nil
  }

  /// The member that lists the stores that a merge brings together, as many as fit into a header.
  static func joins(_ stores: [String]) -> JSONMember { list("joins", stores) }

  /// The member that lists the stores that a settlement leaves apart, as many as fit into a header.
  static func apart(_ stores: [String]) -> JSONMember { list("apart", stores) }

  private static func list(_ name: String, _ stores: [String]) -> JSONMember {
    JSONMember(name, .array(stores.sorted().prefix(Limit.joined).map { .string($0) }))
  }

  private func member(_ name: String) -> JSONValue? {
    fields.newerMembers.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

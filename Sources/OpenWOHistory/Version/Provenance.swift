/// What a header says about where a version's content comes from, in members that are newer than the first edition of the format.
struct Provenance: Sendable, Hashable {
  /// The content was found, without evidence that it was written on the device that captured it.
  var isDelivered = false
  /// It was captured from a copy whose name may be a person's own.
  var isAside = false
  /// Versions that the parents come from had not arrived when the merge was made.
  var isPartial = false
  /// A person decided something about the merge.
  var isChosen = false
  /// The stores that the merge brings together.
  var joins: [String]?
  /// The stores that the settlement leaves apart.
  var apart: [String]?

  /// Reads the members that count for a version's reason; nil if there are none.
  init?(_ fields: Version.Fields) {
    guard fields.unknown != nil else { return nil }
    for member in fields.newerMembers {
      switch (member.name, fields.reason, member.value) {
      case ("delivered", .external, .bool(true)), ("delivered", .edit, .bool(true)):
        isDelivered = true
      case ("aside", .external, .bool(true)): isAside = true
      case ("partial", .merge, .bool(true)): isPartial = true
      case ("chosen", .merge, .bool(true)): isChosen = true
      case ("joins", .merge, .array(let stores)): joins = Self.names(stores)
      case ("apart", .settle, .array(let stores)): apart = Self.names(stores)
      default: continue
      }
    }
  }

  private static func names(_ stores: [JSONValue]) -> [String] {
    stores.compactMap { if case .string(let id) = $0 { id } else { nil } }
  }
}

extension Version {
  /// Who made a version.
  package enum Author: Sendable, Hashable {
    /// A device, by its id.
    case device(String)
    /// All devices alike: it follows from its parents alone.
    case derived
  }

  /// Who made it; the format has a word in place of a device for what all devices make alike.
  package var author: Author {
    device == Self.settleDevice || device == Self.mergeDevice ? .derived : .device(device)
  }

  /// Whether it follows from its parents alone, so that all devices make the same one.
  package var isDerived: Bool { author == .derived }

  /// Whether its content was found, without evidence that it was written on the device that captured it.
  ///
  /// For an edit, it says that a service may have written it into the live file.
  package var isDelivered: Bool { provenance?.isDelivered ?? false }

  /// Whether it was captured from a copy whose name may be a person's own.
  package var isAside: Bool { provenance?.isAside ?? false }

  /// Whether it is a merge that was made though versions that its parents come from had not arrived.
  package var isPartial: Bool { provenance?.isPartial ?? false }

  /// Whether it is a merge about which a person decided something, as which side a cell takes.
  package var isChosen: Bool { provenance?.isChosen ?? false }

  /// For a merge that brings stores together that began apart: their ids; nil for any other version.
  package var joins: [String]? { provenance?.joins }

  /// For a settlement because stores that began apart could not be joined: their ids; nil for any other version.
  package var apart: [String]? { provenance?.apart }
}

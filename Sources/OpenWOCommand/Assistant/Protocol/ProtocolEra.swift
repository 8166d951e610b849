import OpenWOHistory

/// The two ways in which programs begin to talk to each other, and what their answers have.
enum ProtocolEra: Hashable {
  /// It begins with `initialize`, in a version of 2024 or 2025.
  case handshake(String)
  /// Each request says which version it speaks.
  case perRequest

  static let handshakeVersions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
  static let newestHandshake = "2025-11-25"
  static let perRequestVersions = ["2026-07-28"]

  private static let versionKey = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
  private static let serverKey = "io.modelcontextprotocol/serverInfo"

  /// Whether a call says itself which version it speaks.
  static func isStamped(_ call: RemoteCall) -> Bool { call.meta?[versionKey] != nil }

  /// Refuses a call that does not say what each has to say of itself.
  static func checkStamp(_ call: RemoteCall) throws {
    for key in [versionKey, capabilitiesKey] where call.meta?[key] == nil {
      throw Refusal(.invalidParams, "params._meta has no \(key)")
    }
    guard let version = call.meta?[versionKey]?.asText else {
      throw Refusal(.invalidParams, "\(versionKey) is not text")
    }
    guard perRequestVersions.contains(version) else { throw unsupported(version) }
  }

  static func unsupported(_ version: String) -> Refusal {
    Refusal(
      .unsupportedVersion, "this version of the protocol is not spoken here",
      data: .object([
        "supported": .texts(perRequestVersions), "requested": .string(version),
      ]))
  }

  /// The description of this program in answers.
  static var server: JSONValue {
    .object([
      "name": .string("openwo"), "title": .string("openwo"),
      "version": .string(VersionReport.version),
    ])
  }

  /// A result with what the era wants beside it; what does not change may be kept for a while.
  func result(_ members: [JSONMember], isConstant: Bool = false) -> JSONValue {
    guard self == .perRequest else { return .object(members) }
    var all = members + [JSONMember("resultType", .string("complete"))]
    if isConstant {
      all += [
        JSONMember("ttlMs", .integer(3_600_000)), JSONMember("cacheScope", .string("private")),
      ]
    }
    all.append(JSONMember("_meta", .object([Self.serverKey: Self.server])))
    return .object(all)
  }
}

import OpenWOHistory

/// One message of the program at the other end, in JSON-RPC 2.0 (<https://www.jsonrpc.org/specification>).
struct RemoteCall {
  /// How the caller knows the answer again.
  enum ID: Hashable {
    case number(Int64)
    case text(String)

    init?(_ value: JSONValue?) {
      switch value {
      case .integer(let number): self = .number(number)
      case .string(let text): self = .text(text)
      default: return nil
      }
    }

    var json: JSONValue {
      switch self {
      case .number(let number): .integer(number)
      case .text(let text): .string(text)
      }
    }
  }

  /// nil: it is only told, and wants no answer.
  let id: ID?
  let method: String
  let params: JSONValue

  /// The protocol's metadata of the call.
  var meta: JSONValue? { params["_meta"] }

  /// Reads one line; nil for an answer, since nobody was asked anything.
  ///
  /// - Throws: ``Refusal``.
  init?(_ line: [UInt8]) throws {
    let message: JSONValue
    do {
      message = try JSONParser.parse(line, .request)
    } catch {
      throw Refusal(.parseError, "\(error)")
    }
    let id = ID(message["id"])
    guard message.isObject, message["jsonrpc"]?.asText == "2.0" else {
      throw Refusal(.invalidRequest, "not one message of JSON-RPC 2.0", id: id)
    }
    guard let name = message["method"] else {
      if message["result"] != nil || message["error"] != nil { return nil }
      throw Refusal(.invalidRequest, "a message without a method", id: id)
    }
    guard let method = name.asText, id != nil || message["id"] == nil else {
      throw Refusal(.invalidRequest, "the id or the method is of the wrong kind", id: id)
    }
    let params = message["params"] ?? .object([JSONMember]())
    guard params.isObject else {
      throw Refusal(.invalidParams, "params is not an object", id: id)
    }
    (self.id, self.method, self.params) = (id, method, params)
  }
}

/// Why a message gets an error for an answer.
struct Refusal: Error {
  enum Code: Int64 {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case busy = -32000
    case unsupportedVersion = -32022
  }

  let code: Code
  let message: String
  var id: RemoteCall.ID?
  var data: JSONValue?

  init(_ code: Code, _ message: String, id: RemoteCall.ID? = nil, data: JSONValue? = nil) {
    (self.code, self.message, self.id, self.data) = (code, message, id, data)
  }

  /// The answer to the message.
  func answer(to id: RemoteCall.ID?) -> JSONValue {
    var error = [
      JSONMember("code", .integer(code.rawValue)), JSONMember("message", .string(message)),
    ]
    if let data { error.append(JSONMember("data", data)) }
    return .object([
      "jsonrpc": .string("2.0"), "id": (id ?? self.id)?.json ?? .null, "error": .object(error),
    ])
  }
}

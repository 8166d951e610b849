import HTTPTypes
import Hummingbird

/// An answer before it gets the headers that all answers have.
struct Reply: Sendable {
  var status = HTTPResponse.Status.ok
  var kind = "text/html; charset=utf-8"
  var headers: [(HTTPField.Name, String)] = []
  var body: ResponseBody

  /// A page, or a piece of one.
  init(_ node: Node, status: HTTPResponse.Status = .ok, isPiece: Bool = false) {
    self.init(isPiece ? node.html : node.document, status: status)
  }

  init(
    _ text: String, status: HTTPResponse.Status = .ok, kind: String = "text/html; charset=utf-8"
  ) {
    self.init(Array(text.utf8), status: status, kind: kind)
  }

  init(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, kind: String) {
    (self.status, self.kind) = (status, kind)
    body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
  }

  init(stream: ResponseBody, kind: String) {
    (self.kind, body) = (kind, stream)
  }

  /// The address to which the script goes after a change.
  static func go(_ address: Address) -> Reply {
    Reply(address.description, kind: "text/plain; charset=utf-8")
  }

  /// A file to be saved under a name.
  static func download(_ bytes: [UInt8], name: String, kind: String) -> Reply {
    var reply = Reply(bytes, kind: kind)
    reply.save(as: name)
    return reply
  }

  /// Has the browser save it under a name instead of showing it; RFC 6266.
  mutating func save(as name: String) {
    let plain = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          let isPlain =
            scalar.isASCII
            && (scalar.properties.isAlphabetic || "0123456789.-_ ".unicodeScalars.contains(scalar))
          return isPlain ? scalar : "_"
        }))
    let value = "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(Address.encoded(name))"
    headers.append((.contentDisposition, value))
  }
}

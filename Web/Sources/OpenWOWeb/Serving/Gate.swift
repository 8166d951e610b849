import HTTPTypes
import Hummingbird
import Synchronization

/// Decides who may ask, before anything else looks at a request.
///
/// Every process of this machine reaches a loopback port, and every page that a browser shows may send requests to it. So a
/// request has to name this server as its host, may come from no other origin, and needs the cookie that the address in the
/// terminal was exchanged for. A change needs a header besides that no form can send.
final class Gate: Sendable {
  private let secret = Gate.random()
  private let token: Mutex<String?>
  private let boundPort = Mutex(0)
  /// The header that a change has to bear.
  static let ofChange = HTTPField.Name("X-OpenWO") ?? .origin

  init() {
    token = Mutex(Gate.random())
  }

  /// The port that the server got.
  var port: Int {
    get { boundPort.withLock { $0 } }
    set { boundPort.withLock { $0 = newValue } }
  }

  /// The address to open, which works once; nil after that.
  var entrance: String? {
    token.withLock { $0 }.map { "http://127.0.0.1:\(port)/enter/\($0)" }
  }

  private var cookieName: String { "openwo_\(port)" }

  /// The cookie that opens the gate, for tests and for ``admit(_:)``.
  var cookie: String { "\(cookieName)=\(secret)" }

  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] }

  /// 128 random bits.
  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let word = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }.joined()
  }
}

/// Looking at a request.
extension Gate {
  /// Why a request gets no answer.
  enum Refusal: Sendable, Hashable {
    case host, origin, method, noCookie, notFromScript
  }

  /// Why a request is refused; nil if it is not.
  func refusal(of request: Request) -> Refusal? {
    guard let host = request.head.authority, hosts.contains(host) else { return .host }
    if let origin = request.headers[.origin], origin != "http://\(host)" { return .origin }
    let isChange = request.method == .post
    guard isChange || request.method == .get else { return .method }
    let site = request.headers[values: Self.site].first
    if let site, !["same-origin", "none"].contains(site), isChange || !isEntering(request) {
      return .origin
    }
    if isEntering(request) { return nil }
    guard isKnown(request) else { return .noCookie }
    if isChange, request.headers[Self.ofChange] != "1" { return .notFromScript }
    return nil
  }

  private static let site = HTTPField.Name("Sec-Fetch-Site") ?? .origin

  private func isEntering(_ request: Request) -> Bool {
    request.method == .get && request.uri.path.hasPrefix("/enter/")
  }

  private func isKnown(_ request: Request) -> Bool {
    request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.contains { pair in
      let parts = pair.split(separator: "=", maxSplits: 1).map {
        String($0.drop { $0 == " " })
      }
      return parts.count == 2 && parts[0] == cookieName && Self.isEqual(parts[1], secret)
    }
  }

  /// Takes the same time wherever two texts differ.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return zip(a.utf8, b.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Exchanges the token of the address for the cookie; it does so once.
  func admit(_ given: String) -> String? {
    token.withLock { token in
      guard let known = token, Self.isEqual(given, known) else { return nil }
      token = nil
      return "\(cookie); Path=/; HttpOnly; SameSite=Strict"
    }
  }
}

/// The headers of every answer.
extension Gate {
  private static let headers: [(String, String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
    ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// The answer as it is sent.
  func sealed(_ reply: Reply) -> Response {
    var fields = HTTPFields()
    for (name, value) in Self.headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    fields[.contentType] = reply.kind
    for (name, value) in reply.headers { fields.append(HTTPField(name: name, value: value)) }
    return Response(status: reply.status, headers: fields, body: reply.body)
  }
}

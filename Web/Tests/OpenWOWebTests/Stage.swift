import HTTPTypes
import Hummingbird
import OpenWOApp
import SystemPackage

@testable import OpenWOWeb

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store in a folder of its own, and the site that shows it.
final class Stage: Sendable {
  let folder: String
  let site: Site

  init(_ statements: String...) throws {
    // In memory if possible: a store syncs each write.
    let memory = "/dev/shm"
    let top =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    folder =
      top
      + "/openwo-web-test-\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createDirectory(
      atPath: folder + "/sync", withIntermediateDirectories: true)
    var options = WebOptions()
    options.files = [FilePath(folder + "/sync/diary.sqlite")]
    options.stateFolder = FilePath(folder + "/state")
    options.deviceName = "laptop"
    options.language = .en
    site = Site(options)
    site.gate.port = 4711
    _ = try SyncedDatabase.initialize(
      path: folder + "/sync/diary.sqlite", create: true, configuration: configuration())
    for statement in statements { try write(statement) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func configuration(_ device: String = "laptop") -> Configuration {
    var configuration = Configuration()
    configuration.stateFolder = FilePath(folder + (device == "laptop" ? "/state" : "/" + device))
    configuration.deviceName = device
    configuration.monitors = false
    configuration.publishing = .immediately
    return configuration
  }

  func open(_ device: String = "laptop") throws -> SyncedDatabase {
    try SyncedDatabase(path: folder + "/sync/diary.sqlite", configuration: configuration(device))
  }

  func write(_ sql: String, on device: String = "laptop") throws {
    let store = try open(device)
    try store.write { db in try db.execute(sql) }
    try store.close()
  }

  /// Writes this many times with one handle.
  func write(_ count: Int, _ sql: (Int) -> String) throws {
    let store = try open()
    for number in 0..<count {
      try store.write { db in try db.execute(sql(number)) }
      try store.publish()
    }
    try store.close()
  }

  func texts(_ sql: String) throws -> [String] {
    try open().read { db in try db.rows(sql) { try $0.get(0) as String } }
  }

  /// The live version as a change names it.
  func head() throws -> String {
    try open().history().first { $0.isLive }.map { "\($0.version.id)" } ?? ""
  }
}

/// Asking, as a browser does.
extension Stage {
  struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let text: String
  }

  func ask(
    _ path: String, method: HTTPRequest.Method = .get, host: String = "127.0.0.1:4711",
    cookie: String? = nil, body: String = "", _ headers: [(String, String)] = []
  ) async throws -> Answer {
    var fields = HTTPFields()
    let cookie = cookie ?? site.gate.cookie
    if !cookie.isEmpty { fields[.cookie] = cookie }
    for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
    let head = HTTPRequest(
      method: method, scheme: "http", authority: host, path: path, headerFields: fields)
    let response = await site.respond(
      to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))))
    let collector = Collector()
    try await response.body.write(Writer(collector: collector))
    return Answer(
      status: response.status.code, headers: response.headers, text: await collector.text)
  }

  /// A change as the page's script asks for it.
  func change(_ verb: String, _ body: String, _ headers: [(String, String)] = []) async throws
    -> Answer
  {
    try await ask(
      "/file/1/\(verb)", method: .post, body: body,
      [("X-OpenWO", "1"), ("Origin", "http://127.0.0.1:4711"), ("Sec-Fetch-Site", "same-origin")]
        + headers)
  }
}

private actor Collector {
  private var buffer = ByteBuffer()

  func take(_ more: ByteBuffer) { buffer.writeImmutableBuffer(more) }

  var text: String { String(buffer: buffer) }
}

private struct Writer: ResponseBodyWriter {
  let collector: Collector

  func write(_ buffer: ByteBuffer) async throws { await collector.take(buffer) }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

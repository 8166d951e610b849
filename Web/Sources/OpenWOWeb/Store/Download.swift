import Hummingbird
import OpenWOApp
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Files to be saved: a version of the database, and exports.
struct Download: Sendable {
  let scene: Scene

  func reply(_ fields: Fields) throws -> Reply? {
    let name = scene.file.path.stem ?? "database"
    let moment = scene.voice.now
    switch fields["form"] {
    case "json":
      return .download(
        Array(try scene.store.exportJSON().utf8), name: "\(name)_export_\(stamp(moment)).json",
        kind: "application/json; charset=utf-8")
    case "sql":
      return try file(
        "\(name)_export_\(stamp(moment)).sql", kind: "application/sql; charset=utf-8"
      ) { path in
        let file = try FileDescriptor.open(
          path, .writeOnly, options: [.create, .exclusiveCreate], permissions: [.ownerReadWrite])
        defer { try? file.close() }
        var piece: [UInt8] = []
        _ = try scene.store.exportScript { text in
          piece += text.utf8
          guard piece.count > 1 << 16 else { return }
          try file.writeAll(piece)
          piece = []
        }
        try file.writeAll(piece)
      }
    case "csv":
      guard let table = fields["table"] else { return nil }
      return .download(
        Array(try scene.store.exportCSV(table: table).utf8),
        name: "\(name)_\(table)_\(stamp(moment)).csv", kind: "text/csv; charset=utf-8")
    default:
      guard let version = scene.version(fields["version"]) else { return nil }
      return try file(
        "\(name)_\(stamp(version.madeAt)).sqlite", kind: "application/vnd.sqlite3"
      ) { try scene.store.export(version.id, to: $0.string) }
    }
  }

  private func stamp(_ moment: Timestamp) -> String { scene.voice.stamp(moment) }

  /// A file of any size: written to a private one first, and sent from there piece by piece.
  private func file(
    _ name: String, kind: String, write: (FilePath) throws -> Void
  ) throws -> Reply {
    let folder = FileManager.default.temporaryDirectory.path
    let path = FilePath(folder).appending("openwo-web-\(UInt64.random(in: .min ... .max))")
    // It goes when it is closed, whatever becomes of the transfer.
    defer { try? FileManager.default.removeItem(atPath: path.string) }
    try write(path)
    let file = try FileDescriptor.open(path, .readOnly)
    let size = Int(try file.seek(offset: 0, from: .end))
    try file.seek(offset: 0, from: .start)
    var reply = Reply(
      stream: ResponseBody(contentLength: size) { writer in
        defer { try? file.close() }
        while true {
          let piece = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
          }
          if piece.isEmpty { break }
          try await writer.write(ByteBuffer(bytes: piece))
        }
        try await writer.finish(nil)
      }, kind: kind)
    reply.save(as: name)
    return reply
  }
}

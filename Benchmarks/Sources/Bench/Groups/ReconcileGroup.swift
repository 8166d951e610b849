import CPeers
import Foundation
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// A store with ten thousand versions: opened, brought to rest with nothing new, asked how it is.
enum ReconcileGroup {
  static let count = 10_000

  static func run(_ context: Context) throws {
    let folder = try context.folder("reconcile")
    let database = try WorkoutDatabase.file(megabytes: 1, in: context.data)
    var store: SyncedDatabase? = try context.store(folder, of: database)
    try store?.close()
    store = nil
    try fill("\(folder)/synced/live.sqlite.openwo/versions")
    // What is read of a file that changed a moment ago is read again by the next process.
    Thread.sleep(forTimeInterval: 3)
    let configuration = context.configuration(folder, monitors: false)
    let path = "\(folder)/synced/live.sqlite"
    let opened = try SyncedDatabase(path: path, configuration: configuration)
    guard try opened.history().count > count else {
      throw Child.Failure(description: "versions are missing")
    }
    let versions = "\(path).openwo/versions"
    let warm = try Comparison(
      "reconcile", "reconcile, \(count) versions, nothing new",
      rounds: context.rounds(21, short: 7),
      [
        Case("reconcile") { _ = try opened.reconcile() },
        Case("status") { _ = try opened.status() },
        Case("readdir and lstat in C") { _ = peers_list_folder(versions) },
      ], goals: [.atMost(0.030), .shown("readdir and lstat in C")])
    context.add(warm)
    context.add(
      warm.seen(
        as: "status", work: "status, \(count) versions", goals: [.shown("readdir and lstat in C")]))
    try opened.close()
    context.add(
      try Comparison(
        "reconcile", "open, look, close, \(count) versions", rounds: context.rounds(21, short: 7),
        [
          Case("open") {
            let store = try SyncedDatabase(path: path, configuration: configuration)
            _ = try store.status()
            try store.close()
          },
          Case("readdir and lstat in C") { _ = peers_list_folder(versions) },
        ], goals: [.atMost(4, times: "readdir and lstat in C", .wall)]))
    context.add(
      try Comparison(
        "reconcile", "open, reconcile, close in a process of its own, \(count) versions",
        rounds: context.rounds(7, short: 3),
        [
          Case(
            "process",
            Child(CommandLine.arguments[0], "--child", "reconcile", path, "\(folder)/state")),
          Case("readdir and lstat in C") { _ = peers_list_folder(versions) },
        ], goals: [.atMost(60e6, .memory), .shown("readdir and lstat in C")]))
  }

  /// Puts a long history before the versions that are there: small pages payloads, a full one now and then.
  private static func fill(_ folder: String) throws {
    let archive = Archive(folders: [FilePath(folder)], fileSystem: FileSystem())
    let first = try archive.scan().versions.first
    var last: Version?
    var old: MemoryContent?
    var bytes = [UInt8](repeating: 0, count: 3 * 4096)
    for number in 0..<count {
      let text = Array("version \(number)".utf8)
      bytes.replaceSubrange(5000..<5000 + text.count, with: text)
      let content = MemoryContent(bytes)
      let root = try BlockDigests(size: content.size) { content.read(at: $0, into: $1) }.root
      let version = try Version(
        facts: ContentFacts(
          hash: root, bytes: content.size, pageSize: 4096, userVersion: 0, applicationID: 0),
        parents: last.map { [$0.id] } ?? [], device: "other", deviceName: "other",
        at: HybridTime(milliseconds: 1_600_000_000_000 + Int64(number) * 60_000), reason: .write)
      let payload: NewPayload =
        if let old, let last, number % 48 > 0 {
          .pages(PageChanges(from: old, last.content, to: content, pages: [2]))
        } else {
          .full(content)
        }
      try archive.write(version, payload, into: FilePath(folder), durable: false)
      (last, old) = (version, content)
    }
    // The store's own first version and this history become one.
    guard let first, let last else { return }
    let settled = try Version.settle(parents: [first, last], candidates: [first])
    try archive.write(settled, .same, into: FilePath(folder))
  }
}

import Foundation
import OpenWOFiles
import OpenWOHistory
import OpenWOShell
import SystemPackage

@testable import OpenWO

/// The small files of the companion and the state folder, and requests of other programs; the first byte says which one it is.
enum JSONTarget {
  private static let paths = StorePaths(database: "/training/openwo.sqlite", stateRoot: "/state")
  private static let now = Timestamp(milliseconds: 1_790_000_000_000)

  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    let kind = reader.choice(6)
    let bytes = reader.takeAll()
    switch kind {
    case 0: if let lock = decoded(StoreLock.self, bytes) { judge(lock) }
    case 1: _ = decoded(DeviceRecord.self, bytes)
    case 2: _ = decoded(StoreManifest.self, bytes)
    case 3: _ = decoded(DeviceIdentity.self, bytes)
    case 4: line(bytes)
    default: request(bytes)
    }
  }

  /// A request is read as a file is, but for numbers with a fraction and longer lists.
  private static func request(_ bytes: [UInt8]) {
    guard let value = try? JSONParser.parse(bytes, .request) else {
      expect((try? JSONParser.parse(bytes)) == nil, "what a file may hold a request may hold")
      return
    }
    let written = value.canonicalForm
    guard let again = try? JSONParser.parse(written, .request) else {
      fatalError("a request that was read cannot be written and read again")
    }
    expect(again.canonicalForm == written, "a request is the same when written again")
  }

  /// A value that comes back when it is written and read again.
  private static func decoded<Value: Codable & Hashable>(
    _: Value.Type, _ bytes: [UInt8]
  ) -> Value? {
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else { return nil }
    guard let again = try? JSONEncoder().encode(value),
      let same = try? JSONDecoder().decode(Value.self, from: again)
    else { fatalError("a \(Value.self) that was read cannot be written and read again") }
    expect(same == value, "a \(Value.self) is the same when written again")
    return value
  }

  private static func judge(_ lock: StoreLock) {
    for device in [lock.device, "here"] {
      let board = LockBoard([lock, lock], revoked: [], device: device, now: now)
      expect(board.standing.count + board.ended.count + board.problems.count >= 2, "none is lost")
      guard let standing = board.effective else { continue }
      let error = StoreError.isLocked(by: standing, isOurs: standing.device == device, paths)
      for text in [error.message, error.hint] {
        expect(
          text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F },
          "what is said of a lock moves no cursor")
      }
      expect(DeviceIdentity.isID(standing.id), "the id in the hint is a word for a shell")
    }
    expect(
      LockBoard([lock], revoked: [lock.id], device: "here", now: now).standing.isEmpty,
      "a lock that was ended does not count")
  }

  /// The record of the state folder.
  private static func line(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let line = Baseline.Line(text, boot: "boot") else { return }
    guard let same = Baseline.Line(String(line.text.dropLast()), boot: "boot") else {
      fatalError("a record that was written cannot be read")
    }
    expect(same.text == line.text, "a record is the same when written again")
  }
}

extension JSONTarget {
  static func seeds() throws -> [[UInt8]] {
    let version = try VersionTarget.sample("first", [], note: nil)
    var lock = StoreLock(
      id: "7f3a19c2", device: "5f3e11a2b7c4", deviceName: "Ann's phone", user: "ann", host: "mac",
      program: "sqlite3", since: now, until: now.advanced(bySeconds: 60))
    let bare = lock
    (lock.note, lock.head, lock.state) = ("more\trepetitions", version.id, .held)
    lock.process = ProcessIdentity(pid: 1, startTime: 5, bootID: "boot", pidNamespace: 3)
    let record = DeviceRecord(
      format: 1, id: "5f3e11a2b7c4", name: "phone", head: version.id, headSince: now, lastSeen: now,
      acknowledged: [.init(lock: "7f3a19c2", head: nil, at: now)], revoked: ["7f3a19c2"],
      policy: .init(settling: "merge", rules: ["settings": "newest"], at: now))
    let manifest = StoreManifest(
      format: 1, store: String(repeating: "a1", count: 16), app: "org.example.openwo",
      environment: "production", database: "openwo.sqlite", created: now, policy: "merge",
      rules: ["settings": "newest"])
    let identity = DeviceIdentity(id: "5f3e11a2b7c4", name: "phone", machine: "m")
    let line = Baseline.Line(
      boot: "boot", current: version.id, content: version.content,
      signature: FileSignature(device: 1, inode: 2, size: 3, mtime: 4, ctime: 5),
      base: (version.content, 9))
    return try [
      [0] + written(lock), [0] + written(bare), [1] + written(record), [2] + written(manifest),
      [3] + written(identity), [4] + Array(line.text.utf8.dropLast()),
      [5]
        + Array(
          #"{"jsonrpc":"2.0","id":1,"params":{"a":[1.5,-2e3,null,true,"\u00e9"]},"b":{"c":{}}}"#
            .utf8),
    ]
  }

  private static func written(_ value: some Encodable) throws -> [UInt8] {
    let folder = FilePath(FileManager.default.temporaryDirectory.path)
    let path = folder.appending("openwo-seed-\(randomHex(bytes: 8))")
    defer { try? FileSystem().unlink(path) }
    try CompanionFile.write(value, to: path, durable: false, FileSystem())
    return try FileSystem().readSmall(path, limit: 1 << 16)
  }
}

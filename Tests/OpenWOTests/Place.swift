import Foundation
import OpenWO
import OpenWOFiles
import SystemPackage

/// A temporary folder with a synced folder and the state folders of two devices in it; gone with the last reference.
final class Place: Sendable {
  let root: FilePath
  let clock: ManualClock
  private let files = FileSystem()

  init(now: Int64 = 1_790_000_000_000) throws {
    clock = ManualClock(now: SystemClock().now())
    // In memory if possible: fsync costs nothing there.
    let memory: FilePath = "/dev/shm"
    let top = try FileSystem().statusIfPresent(memory) == nil ? "/tmp" : memory
    root = try FileSystem().realpath(top).appending("openwo-test-\(randomHex(bytes: 8))")
    try files.makeDirectories(folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: root.string) }

  var folder: FilePath { root.appending("synced") }
  var database: FilePath { folder.appending("openwo.sqlite") }

  /// How a device opens the store; no background thread, so that nothing happens by itself.
  func configuration(_ device: String = "phone", realTime: Bool = true) -> Configuration {
    var configuration = Configuration()
    configuration.stateFolder = root.appending("state-\(device)")
    configuration.deviceName = device
    configuration.monitors = false
    if !realTime { configuration.clock = clock }
    return configuration
  }

  /// Makes a database with the real shell.
  func makeDatabase(
    _ sql: String = "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1,'one')"
  ) throws {
    try sqlite3(sql)
  }

  /// Runs SQL with the sqlite3 shell and returns what it prints.
  @discardableResult
  func sqlite3(_ sql: String, _ path: FilePath? = nil, thenKilled: Bool = false) throws -> String {
    let output = root.appending("out")
    if thenKilled {
      // The shell kills itself: what it had not brought back into the file stays beside it.
      _ = run(["sqlite3", (path ?? database).string, sql, ".system kill -9 $PPID"])
      return ""
    }
    let status = run([
      "sh", "-c", "sqlite3 \"$1\" \"$2\" > \"$3\" 2>&1", "sh", (path ?? database).string, sql,
      output.string,
    ])
    let text = String(decoding: try files.readSmall(output, limit: 1 << 20), as: UTF8.self)
    guard status == 0 else { throw ShellFailed(output: text) }
    return text
  }

  struct ShellFailed: Error { var output: String }

  /// Runs a program and returns what `waitpid` says of it; unlike `runChild` it leaves this process's signals, which all tests share.
  func run(_ words: [String]) -> Int32 {
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, words[0], nil, nil, &arguments, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  func bytes(_ path: FilePath? = nil) throws -> [UInt8] {
    try files.readSmall(path ?? database, limit: 1 << 30)
  }

  func initialize(_ device: String = "phone") throws -> InitReport {
    try SyncedDatabase.initialize(path: database.string, configuration: configuration(device))
  }

  func open(_ device: String = "phone") throws -> SyncedDatabase {
    try SyncedDatabase(path: database.string, configuration: configuration(device))
  }
}

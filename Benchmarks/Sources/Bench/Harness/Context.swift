import Foundation
import OpenWO
import SystemPackage

/// Where a run keeps its files, and how long it may take.
struct Context {
  /// Data that is made once and copied; survives the run.
  let data: String
  /// Everything else; emptied at the start.
  let work: String
  /// The `openwo` command; nil while there is none.
  let command: String?
  let isShort: Bool
  let report: Report

  /// A number of rounds, fewer in the short form.
  func rounds(_ long: Int, short: Int) -> Int { isShort ? short : long }

  /// The sizes of databases to measure with, in megabytes.
  func sizes(_ long: [Int], short: [Int]) -> [Int] { isShort ? short : long }

  /// An empty folder.
  func folder(_ name: String) throws -> String {
    let path = "\(work)/\(name)"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  func add(_ comparison: Comparison) { report.add(comparison) }

  /// How a store is opened here: as an app would, but with the state folder beside it.
  func configuration(_ folder: String, monitors: Bool = true) -> Configuration {
    var configuration = Configuration()
    configuration.stateFolder = FilePath("\(folder)/state")
    configuration.deviceName = "bench"
    configuration.monitors = monitors
    return configuration
  }

  /// Makes a store of a copy of a database and opens it.
  func store(
    _ folder: String, of database: String, monitors: Bool = true,
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> SyncedDatabase {
    try copy(database, to: "\(folder)/synced/live.sqlite")
    var configuration = configuration(folder, monitors: monitors)
    change(&configuration)
    _ = try SyncedDatabase.initialize(
      path: "\(folder)/synced/live.sqlite", configuration: configuration)
    return try SyncedDatabase(path: "\(folder)/synced/live.sqlite", configuration: configuration)
  }

  func copy(_ file: String, to path: String) throws {
    let parent = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: file, toPath: path)
  }

  func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// The size and time of every file under a folder.
  static func files(under folder: String) -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for name in FileManager.default.enumerator(atPath: folder) ?? .init() {
      var status = stat()
      if let name = name as? String, lstat("\(folder)/\(name)", &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      {
        found[name] = [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
      }
    }
    return found
  }

  /// How many files were added, changed or removed.
  static func changes(_ old: [String: [Int]], _ new: [String: [Int]]) -> Double {
    Double(Set(old.keys).union(new.keys).count { old[$0] != new[$0] })
  }

  /// The bytes of all files under a folder.
  static func bytes(under folder: String) -> Int64 {
    var sum: Int64 = 0
    for name in FileManager.default.enumerator(atPath: folder) ?? .init() {
      var status = stat()
      if let name = name as? String, lstat("\(folder)/\(name)", &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      {
        sum += Int64(status.st_size)
      }
    }
    return sum
  }
}

import Foundation

@testable import OpenWOMerge

/// A folder for one test, gone when the test is over, and databases in it.
final class Scratch {
  let folder: String
  private var count = 0

  init() throws {
    folder = NSTemporaryDirectory() + "openwo-merge-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A new database with this content.
  func database(_ sql: String = "") throws -> TestDatabase {
    count += 1
    let database = try TestDatabase("\(folder)/\(count).sqlite")
    try database.script(sql)
    return database
  }

  /// A copy of a database, byte for byte, changed by a script.
  func copy(_ original: TestDatabase, _ sql: String = "") throws -> TestDatabase {
    count += 1
    let path = "\(folder)/\(count).sqlite"
    if FileManager.default.fileExists(atPath: original.path) {
      try FileManager.default.copyItem(atPath: original.path, toPath: path)
    }
    let database = try TestDatabase(path)
    try database.script(sql)
    return database
  }

  /// A path in the folder.
  func path(_ name: String) -> String { folder + "/" + name }
}

import Foundation
import OpenWOTestSupport
import SystemPackage

@testable import OpenWOMerge

/// Databases of one test, gone with it.
final class Scratch {
  private let scratch: ScratchFolder
  private var count = 0

  init() throws { scratch = try ScratchFolder() }

  var folder: String { scratch.path.string }

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
  func path(_ name: String) -> String { scratch(name).string }
}

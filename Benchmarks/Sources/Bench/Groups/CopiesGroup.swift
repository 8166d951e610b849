import Foundation
import OpenWO
import OpenWOSQLite
import SystemPackage

/// A folder with 400 conflict copies of 8 KB, each with a row of its own, which one look captures and removes.
enum CopiesGroup {
  static let count = 400

  static func run(_ context: Context) throws {
    let top = try context.folder("copies")
    // A folder for each round: removing one would slow ext4 down for some seconds.
    var round = 0
    context.add(
      try Comparison(
        "copies", "\(count) conflict copies of 8 KB: open, reconcile, close",
        rounds: context.rounds(5, short: 3),
        [
          Case(
            measuring: "open, reconcile, close",
            prepare: {
              round += 1
              try stage("\(top)/\(round)", context)
            },
            {
              var versions = 0
              let sample = try Sample.of {
                let store = try SyncedDatabase(
                  path: "\(top)/\(round)/synced/live.sqlite",
                  configuration: context.configuration("\(top)/\(round)", monitors: false))
                _ = try store.reconcile()
                versions = try store.history().count
                try store.close()
              }
              guard versions > count else {
                throw Child.Failure(description: "\(versions) versions of \(count) copies")
              }
              return sample
            })
        ], goals: [.atMost(4)]))
  }

  /// A new store, and the copies beside it, made from the state before its last change.
  private static func stage(_ folder: String, _ context: Context) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (seed, path) = ("\(folder)/seed.sqlite", "\(folder)/synced/live.sqlite")
    let db = try Connection(
      path: FilePath(seed), Connection.Options(mode: .create, guardPolicy: .privateCopy))
    try db.executeScript("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)")
    db.close()
    let store = try context.store(folder, of: seed, monitors: false)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('one')") }
    try context.copy(path, to: "\(folder)/state.sqlite")
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    try store.close()
    let past = Date(timeIntervalSinceNow: -3600)
    for number in 1...count {
      let digits = String(100_000 + number)
      let copy = "\(folder)/synced/live.sync-conflict-20261121-\(digits)-ABCDEFG.sqlite"
      try context.copy("\(folder)/state.sqlite", to: copy)
      let db = try WrapperGroup.connect(copy)
      try db.executeScript("PRAGMA synchronous = OFF")
      try db.execute("INSERT INTO t(v) VALUES(?)", "copy \(number)")
      db.close()
      try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: copy)
    }
  }
}

import OpenWO
import OpenWOFiles
import SystemPackage

/// One thing that a program does, with all that has happened before.
package struct Verb: Sendable {
  package var name: String
  /// Whether the writer of this campaign does it; the command otherwise.
  var isApp = false
  /// The words behind the program's name.
  var words: @Sendable (Scene) -> [String]
  /// The rows that the live file has when it ends with 0, and those that only a version has then; an app tells of its own.
  var live: [String] = []
  var gone: [String] = []
  /// Whether it brings the file of this device only, which is begun again until it is done.
  var bringsLocal: Bool { name.hasPrefix("migrate") }
  /// Whether a lock is held when it ends with 0.
  var leavesLock: Bool { name.hasPrefix("lock") }
  /// Whether another program writes in it, whose journal carries no mark.
  var runsPrograms: Bool { name == "edit" }
  /// The preparation.
  var prepare: @Sendable (Scene) throws -> Void

  /// The whole command line.
  func command(_ scene: Scene) -> [String] {
    [isApp ? scene.tools.writer : scene.tools.openwo] + words(scene)
  }

  /// A call of a person or a script.
  static func command(
    _ name: String, _ words: String..., live: [String] = [], gone: [String] = [],
    prepare: @escaping @Sendable (Scene) throws -> Void
  ) -> Verb {
    Verb(
      name: name,
      words: { scene in
        words.map { ["LOCAL": scene.local.string, "LOCK": scene.foreignLock ?? ""][$0] ?? $0 }
      },
      live: live, gone: gone, prepare: prepare)
  }

  /// The faults of its end without a stop.
  func violations(of end: Standing) -> [String] {
    let rows = end.rows ?? []
    let (missing, kept) = (Set(live).subtracting(rows), rows.intersection(gone))
    return (missing.isEmpty ? [] : ["it ended without \(missing.sorted())"])
      + (kept.isEmpty ? [] : ["it ended and kept \(kept.sorted())"])
      + (end.isLocked == leavesLock ? [] : ["it ended, and whether a lock is held is wrong"])
  }

  /// A call of an app.
  static func app(
    _ name: String, _ words: String..., prepare: @escaping @Sendable (Scene) throws -> Void
  ) -> Verb {
    Verb(name: name, isApp: true, words: { [words[0], $0.database.string] + words.dropFirst() }) {
      try prepare($0)
    }
  }
}

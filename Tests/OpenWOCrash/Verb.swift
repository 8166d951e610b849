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
  /// The rows that are acknowledged when it ends with 0; an app tells its own.
  var acknowledges: [String] = []
  /// Whether it brings the file of this device only, which is begun again until it is done.
  var bringsLocal: Bool { name.hasPrefix("migrate") }
  /// What has happened before.
  var prepare: @Sendable (Scene) throws -> Void

  /// The whole command line.
  func command(_ scene: Scene) -> [String] {
    [isApp ? scene.tools.writer : scene.tools.openwo] + words(scene)
  }

  /// What a person or a script calls.
  static func command(
    _ name: String, _ words: String..., acknowledges: [String] = [],
    prepare: @escaping @Sendable (Scene) throws -> Void
  ) -> Verb {
    Verb(
      name: name, words: { scene in words.map { $0 == "LOCAL" ? scene.local.string : $0 } },
      acknowledges: acknowledges, prepare: prepare)
  }

  /// What an app does.
  static func app(
    _ name: String, _ words: String..., prepare: @escaping @Sendable (Scene) throws -> Void
  ) -> Verb {
    Verb(name: name, isApp: true, words: { [words[0], $0.database.string] + words.dropFirst() }) {
      try prepare($0)
    }
  }
}

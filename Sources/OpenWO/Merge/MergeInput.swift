import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// What is merged, or what a merge starts from: a version, or a merge of several versions that is no version itself.
package final class MergeInput {
  /// A merge of two, and which rows of each have another number in it.
  struct Origin {
    let sides: Sides<MergeInput>
    let moves: Sides<[String: [RenumberedRows.Move]]>
    /// Numbers of rows, by folded table name, that one of the two has deleted, or had in doubt itself.
    let doubtful: [String: Set<Int64>]
  }

  /// The versions whose rows are in it.
  let versions: [Version]
  /// The file that holds it, if it is no version; nobody else knows it.
  let file: FilePath?
  let origin: Origin?

  package init(_ version: Version) {
    versions = [version]
    file = nil
    origin = nil
  }

  init(_ origin: Origin, in file: FilePath) {
    versions = origin.sides.ours.versions + origin.sides.theirs.versions
    self.file = file
    self.origin = origin
  }

  /// The rows that several versions have alike.
  init(commonTo versions: [Version], in file: FilePath) {
    self.versions = versions
    self.file = file
    origin = nil
  }

  /// The latest of the versions: it stands for all of them when it comes to who was later.
  var latest: Version { versions.max { $0.loses(to: $1) } ?? versions[0] }
}

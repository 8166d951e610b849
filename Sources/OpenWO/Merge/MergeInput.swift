import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// One side or the base of a merge: a version, or a merge of several versions that is not a version
/// itself.
package final class MergeInput {
  /// A merge of two, and which rows of each have another number in it.
  struct Origin {
    let sides: Sides<MergeInput>
    let moves: Sides<[String: [RenumberedRows.Move]]>
    /// Rowids, by folded table name, that one of the two has deleted or had in doubt.
    let doubtful: [String: Set<Int64>]
  }

  /// The versions whose rows are in it.
  let versions: [Version]
  /// The private file that holds it, if it is not a version.
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

  /// The latest of the versions, which decides which side was later.
  var latest: Version { versions.max { $0.loses(to: $1) } ?? versions[0] }
}

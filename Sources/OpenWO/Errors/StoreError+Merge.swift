import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Errors about differences and merges.
extension StoreError {
  /// The two cannot be merged: names the table and the rows.
  ///
  /// `isSwapped` says that the planner's first side is theirs.
  static func mergeRefused(
    _ refusal: MergeRefusal, _ other: MergeSource, _ paths: StorePaths, isSwapped: Bool = false
  ) -> StoreError {
    var place = ""
    if !refusal.table.isEmpty {
      place = "table \(String(printable: refusal.table.utf8))"
      let rows = refusal.rows.prefix(10).map { key in
        key.map { DataValue($0).description }.joined(separator: ", ")
      }
      let more = refusal.rows.count > rows.count ? " and more" : ""
      if refusal.sides.isEmpty {
        if !rows.isEmpty { place += ", rows (\(rows.joined(separator: "), (")))\(more)" }
      } else {
        let owned = zip(rows, refusal.sides).map { row, side in
          let owner = side.map { ($0 == .ours) != isSwapped ? paths.name : other.name } ?? "both"
          return "row (\(row)) of \(owner)"
        }
        place += ", \(owned.joined(separator: " and "))\(more)"
      }
      place += ": "
    }
    var error = mergeRefused(place + String(printable: refusal.reason.utf8), other, paths)
    if refusal.sides.count > 1 {
      error.advice = paths.next("change or delete one of the rows, then merge again", .edit)
    }
    return error
  }

  /// The same for a reason that another device may not have.
  static func mergeRefusedHere(
    _ why: String, _ other: MergeSource, _ paths: StorePaths
  ) -> StoreError {
    var error = mergeRefused(why, other, paths)
    error.isOfThisDevice = true
    return error
  }

  static func mergeRefused(
    _ why: String, _ other: MergeSource, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .mergeRefused,
      "\(paths.name) and \(other.name) cannot be merged (\(why)); nothing was written, "
        + "both are safe",
      advice: paths.next("see what differs", .compareRows(other)))
  }

  /// The choices for a merge are not those that it asks for.
  static func choicesRefused(_ why: String, _ other: MergeSource, _ paths: StorePaths) -> StoreError
  {
    StoreError(
      .mergeRefused,
      "\(paths.name) and \(other.name) were not merged: \(why); nothing was written, both "
        + "are safe",
      advice: paths.next("list the conflicts again", .listConflicts(other)))
  }

  static func undone(
    _ version: VersionID, by merge: VersionID?, _ other: MergeSource, _ paths: StorePaths
  ) -> StoreError {
    let way = merge == nil ? "to have that state again" : "to have the rows of both again"
    return StoreError(
      .mergeRefused,
      "\(other.name) was in \(paths.name) and has been undone by a restore, so there is "
        + "nothing to merge it from; nothing was written, both are safe",
      advice: paths.next(way, .restore(merge ?? version)),
      remedies: [.restore(merge ?? version)])
  }

  static func noCommonAncestor(_ other: MergeSource, _ paths: StorePaths) -> StoreError {
    StoreError(
      .mergeRefused,
      "\(paths.name) and \(other.name) have no common ancestor, so what one of them lacks "
        + "may be deleted there or new here; nothing was written, both are safe",
      advice: paths.next("to keep all rows of both", .mergeWithoutBase(other)))
  }

  /// Pinned rows are not in the version that was checked out.
  static func notPinned(_ why: String, _ version: VersionID, _ paths: StorePaths) -> StoreError {
    StoreError(
      .mergeRefused,
      "pinned rows could not be kept in what came from elsewhere (\(String(printable: why.utf8))); "
        + "they are safe in version \(version.short)",
      advice: paths.next("bring them in", .merge(version)),
      remedies: [.merge(version)], version: version)
  }

  static func notComparable(
    _ file: FilePath, _ why: String, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .notADatabase,
      "\(paths.called(file).printable) cannot be compared: \(why); it was left as it is",
      advice: paths.next("see what it is", .identify(paths.called(file))))
  }

  static func notAtRest(_ file: FilePath, _ paths: StorePaths) -> StoreError {
    let file = paths.called(file)
    return StoreError(
      .busy,
      "\(file.printable) has rows in a journal beside it, so it is not all of its content",
      advice: paths.next(
        "close the program that has it open, or finish its work", .sqlite(file, .tables)))
  }
}

extension MergeSource {
  /// The side in a sentence: the version's digits, or the path as the caller would type it.
  fileprivate var name: String {
    switch self {
    case .version(let id): id.short
    case .file(let path): path.shellName
    }
  }
}

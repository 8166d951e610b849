import OpenWOFiles
import OpenWOHistory

/// Errors about a name that does not match a version.
extension StoreError {
  /// No version has this id.
  static func noSuchVersion(_ id: String, _ paths: StorePaths) -> StoreError {
    noVersion("there is no version \(String(printable: id.utf8))", paths)
  }

  /// It is not a name at all.
  static func noVersionName(_ text: String, _ paths: StorePaths) -> StoreError {
    let name = String(printable: text.utf8)
    if text.utf8.isEmpty { return noVersion("the name of the version is empty", paths) }
    if text.utf8.allSatisfy(VersionName.isHex) {
      let limit = text.utf8.count < 4 ? "needs at least 4 digits" : "has at most 64 digits"
      return noVersion("\(name) names no version: an id's beginning \(limit)", paths)
    }
    if text.hasPrefix("@") {
      return noVersion(
        "\(name) names no version: write @ for the live one, @~1 for the one before", paths)
    }
    return noVersion(
      "\(name) is neither a version nor a time such as '3 days ago' or '2026-11-24 18:00'", paths)
  }

  /// No id begins like this, or several do.
  static func noVersion(
    beginning prefix: String, _ found: [Version], _ paths: StorePaths
  ) -> StoreError {
    guard !found.isEmpty else { return noVersion("no version's id begins with \(prefix)", paths) }
    let names = found.prefix(3).map { String($0.id.description.prefix(prefix.utf8.count + 6)) }
    let more = found.count > 3 ? " and more" : ""
    return noVersion(
      "\(found.count) versions begin with \(prefix): \(names.joined(separator: ", "))\(more)", paths
    )
  }

  /// It counts back further than there are versions.
  static func noVersion(before count: Int, _ paths: StorePaths) -> StoreError {
    switch count {
    case 0: noVersion("no version of \(paths.name) is live", paths)
    case 1:
      noVersion(
        "the live version of \(paths.name) is the first one; there is none before it", paths)
    case 2: noVersion("there is only one version before the live one: @~1", paths)
    default:
      noVersion(
        "there are only \(count - 1) versions before the live one: @~1 to @~\(count - 1)", paths)
    }
  }

  /// It means a time before the first version.
  static func noVersion(
    at moment: Timestamp, oldest: Version?, _ paths: StorePaths
  ) -> StoreError {
    guard let oldest else { return noVersion(before: 0, paths) }
    return noVersion(
      "nothing was live yet at \(moment); the first version is of \(oldest.madeAt)", paths)
  }

  private static func noVersion(_ why: String, _ paths: StorePaths) -> StoreError {
    StoreError(.noSuchVersion, why, advice: paths.next("see all versions", .chooseVersion))
  }
}

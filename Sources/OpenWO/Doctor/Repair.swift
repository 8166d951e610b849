/// One thing that `doctor --repair` does: it adds files or rewrites openwo's own, and never touches the database.
public struct Repair: Sendable, Hashable, Codable {
  /// A stable name for programs.
  public var code: String
  /// The repair as a sentence without its subject and full stop.
  public var message: String
  /// The file or folder that it concerns.
  public var path: String

  /// So many versions, in words.
  static func versions(_ count: Int) -> String {
    switch count {
    case 0: "none of the versions"
    case 1: "the one version"
    default: "the last \(count) versions"
    }
  }
}

package import SystemPackage

/// A file beside the database that a sync service made, by its name.
public struct ConflictedCopy: Sendable, Hashable {
  /// How its content relates to the versions.
  public enum Relation: String, Sendable, Codable {
    /// The newest version's content.
    case equal
    /// The content of another version.
    case ancestor
    /// Content that is in no version yet, or in one that is set aside.
    case diverged
    /// Not whole, or not a copy of this database: it is left alone.
    case unknown
  }

  /// The file's name, escaped for printing.
  public var path: String
  /// The service that makes such names; nil if the name does not tell.
  public var service: String?
  /// How its content relates to the versions.
  public var relation: Relation
  /// When it was last written to.
  public var modifiedAt: Timestamp
  /// Why it is left alone.
  public var problem: String?
  /// Whom it waits for.
  package var need: CopyNeed
  /// Its name is the database's own in another Unicode form.
  package var isTwin = false
  /// The file, if part of its content is in a journal or log beside it, which SQLite would replay;
  /// else nil.
  package var unfinished: FilePath?
}

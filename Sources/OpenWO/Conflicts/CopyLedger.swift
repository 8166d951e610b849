import OpenWOFiles
import OpenWOHistory

/// The results for the copies beside a database, so that an unchanged copy is read once.
struct CopyLedger {
  /// The result for one copy.
  struct Entry {
    var signature: FileSignature
    /// Its content; nil if it is not whole or no copy of this database.
    var content: ContentHash?
    var facts: ContentFacts?
    /// Why it is left alone.
    var problem: String?
    /// It is not whole: no database, cut, or damaged.
    var isTorn = false
    /// Only its name is like a copy's: it is not a copy of this database.
    var isForeign = false
    /// Part of its content is in a file beside it.
    var isUnfinished = false
  }

  var entries: [FileName: Entry] = [:]

  /// The entry of a file whose signature is unchanged.
  func entry(_ file: FileName, _ signature: FileSignature) -> Entry? {
    guard let entry = entries[file], entry.signature == signature, !entry.isUnfinished else {
      return nil
    }
    return entry
  }
}

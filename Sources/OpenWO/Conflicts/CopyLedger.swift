import OpenWOFiles
import OpenWOHistory

/// What was found out about the copies beside a database, so that an unchanged copy is read once.
struct CopyLedger {
  /// One copy as it was examined.
  struct Entry {
    var signature: FileSignature
    /// Its content; nil when it is not whole or no copy of this database.
    var content: ContentHash?
    var facts: ContentFacts?
    /// Why it is left alone.
    var problem: String?
    /// It is not whole: no database, cut, or damaged.
    var isTorn = false
    /// Only its name is like a copy's: it is no copy of this database.
    var isForeign = false
    /// Part of its content lies beside it.
    var isUnfinished = false
  }

  var entries: [FileName: Entry] = [:]

  /// What is known of a file that still looks as it did.
  func entry(_ file: FileName, _ signature: FileSignature) -> Entry? {
    guard let entry = entries[file], entry.signature == signature, !entry.isUnfinished else {
      return nil
    }
    return entry
  }
}

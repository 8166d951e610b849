import Foundation
import Synchronization

/// Files beside a database that SQLite may not remove, as in a folder where only a file's owner may remove it.
///
/// The files have a mark in their paths; no other file in the process is affected. So root, who may
/// remove everything, runs the same test.
package enum RefusedRemoval {
  /// The mark in the path of a database whose `-wal` and `-shm` stay.
  package static let ofLog = "log-stays"
  /// How the path of the folder ends in which the `-journal` of an `openwo.sqlite` stays.
  package static let ofJournal = "journal-stays"
  /// How the path of the folder ends in which the `-journal` of an `openwo.sqlite` may be removed at the second try.
  package static let ofJournalOnce = "journal-stays-once"

  /// Makes the calls of SQLite fail from now on.
  package static func arrange() { _ = arranged }

  private static let arranged = SQLiteCalls.replace("unlink", with: refusing)

  private static let refusedOnce = Mutex<Set<String>>([])

  private static let refusing: @convention(c) (UnsafePointer<CChar>?) -> CInt = { path in
    guard let path else { return -1 }
    let text = String(cString: path)
    let isLog = text.hasSuffix("-wal") || text.hasSuffix("-shm")
    func isJournal(_ folder: String) -> Bool {
      text.hasSuffix(folder + "/openwo.sqlite-journal")
    }
    let isFirst =
      isJournal(ofJournalOnce) && access(text, F_OK) == 0
      && refusedOnce.withLock { $0.insert(text).inserted }
    if isLog && text.contains(ofLog) || isJournal(ofJournal) || isFirst {
      errno = EACCES
      return -1
    }
    return unlink(path)
  }
}

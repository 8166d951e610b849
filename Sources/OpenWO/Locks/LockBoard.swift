import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The lock files of a store, judged: which are active, which have ended, which are not locks.
package struct LockBoard: Sendable {
  /// Why a lock file does not count.
  package enum Ending: Sendable, Hashable {
    case ranOut, revoked, processGone
  }

  /// The locks that count, the one that holds first.
  package var standing: [StoreLock] = []
  package var ended: [(lock: StoreLock, how: Ending)] = []
  /// A lock of a later format: nobody knows whether it has ended.
  var newer: FilePath?
  /// Files in the folder that are not lock files, with a sentence each.
  package var problems: [(file: FileName, why: String)] = []

  /// The lock that holds; others only ask.
  package var effective: StoreLock? { standing.first }

  /// The lock that holds, if it is not a given one.
  func other(than lock: StoreLock) -> StoreLock? {
    effective.flatMap { $0.id == lock.id ? nil : $0 }
  }

  /// The id of the only lock that a word is the beginning of; else the word.
  func id(beginningWith word: String) -> String {
    let ids = standing.map(\.id)
    guard word.utf8.count >= 4, !ids.contains(word) else { return word }
    let found = ids.filter { $0.hasPrefix(word.lowercased()) }
    return found.count == 1 ? found[0] : word
  }

  /// Whether there is no file at all.
  var isEmpty: Bool { standing.isEmpty && ended.isEmpty && problems.isEmpty }

  /// Judges the locks that were read.
  ///
  /// `revoked` are the ids of locks that some device has ended by force. Only this device's own processes can be looked at.
  package init(
    _ locks: [StoreLock], revoked: Set<String>, device: String, now: Timestamp,
    problems: [(file: FileName, why: String)] = []
  ) {
    self.problems = problems
    for lock in locks.sorted(by: { $0.precedes($1) }) {
      if revoked.contains(lock.id) {
        ended.append((lock, .revoked))
      } else if lock.hasEnded(at: now) {
        ended.append((lock, .ranOut))
      } else if lock.device == device, let process = lock.process, process.liveness == .dead {
        ended.append((lock, .processGone))
      } else {
        standing.append(lock)
      }
    }
  }
}

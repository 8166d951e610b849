import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// What it depends on which lock an unlock ends, and how.
struct UnlockFacts {
  var request: UnlockRequest
  /// The lock files in the companion.
  var board: LockBoard
  /// The lock in this device's own file, which somebody may have ended.
  var own: StoreLock?
  /// The lock that this handle has taken.
  var taken: StoreLock?
  /// The lock that the call began to end before it had to wait.
  var begun: StoreLock?
}

/// Which lock an unlock ends, and how.
enum UnlockDecision: Hashable {
  /// This device's lock, which holds: what was edited under it becomes a version, or is discarded.
  case end(StoreLock)
  /// This device's lock, which somebody else has ended: the edit counts as one without a lock.
  case giveUp(StoreLock)
  /// Another device's lock, by force: this device's own file says that it has ended.
  case revoke(StoreLock)
  case refuse(Refusal)

  enum Refusal: Hashable {
    /// Only a newer openwo can read a lock file, and it may be the older lock.
    case newerLock(FilePath)
    /// There is no lock of this device, or of the given id.
    case noLock(other: StoreLock?)
    /// Another lock holds, so nothing may change the live file.
    case locked(by: StoreLock)
  }

  init(_ facts: UnlockFacts) {
    let (request, board, own) = (facts.request, facts.board, facts.own)
    let forced = request.force.map(board.id(beginningWith:))
    // A discard would write under the newer lock.
    if let newer = board.newer, request.discard || own == nil && forced == nil {
      self = .refuse(.newerLock(newer))
      return
    }
    if let forced, own?.id != forced {
      let lock = board.standing.first { $0.id == forced }
      self = lock.map { .revoke($0) } ?? .refuse(.noLock(other: board.effective))
      return
    }
    // After a wait it is the same one, whoever has taken another one meanwhile.
    guard let lock = facts.begun ?? (forced == nil ? facts.taken : nil) ?? own else {
      self = .refuse(.noLock(other: board.effective))
      return
    }
    guard own?.id == lock.id, !board.ended.contains(where: { $0.lock.id == lock.id }) else {
      self = .giveUp(lock)
      return
    }
    let other = request.discard ? board.other(than: lock) : nil
    self = other.map { .refuse(.locked(by: $0)) } ?? .end(lock)
  }
}

/// What it depends on what becomes of an edit.
struct EditFacts {
  var state: LockedEdit.State
  /// Whether the person wants to go back to the state before the lock.
  var isDiscarded: Bool
  /// Another lock that holds, such as an older one that has come meanwhile.
  var other: StoreLock?
  /// The rows that point at nothing since the edit.
  var broken: BrokenReferences?
  /// The version to go back to: the one from before the lock, or else the newest that is whole.
  var before: Version?
}

/// What becomes of an edit at the end of its lock.
enum EditDecision: Hashable {
  /// Nothing was edited.
  case keepNothing
  /// The edit becomes a version.
  case capture
  /// The edit becomes a version, and the one from before the lock is put back.
  case discard
  /// The file is quarantined, and a version takes its place.
  case repair(with: Version, why: String)
  /// Make the database a single file again, and look again.
  case checkpoint
  case refuse(Refusal)

  enum Refusal: Hashable {
    case locked(by: StoreLock)
    case damaged(String)
    case brokenReferences(BrokenReferences)
  }

  init(_ facts: EditFacts) {
    switch facts.state {
    case .unchanged: self = .keepNothing
    case .logged:
      self = facts.other.map { .refuse(.locked(by: $0)) } ?? .checkpoint
    case .whole where facts.isDiscarded: self = .discard
    case .whole: self = facts.broken.map { .refuse(.brokenReferences($0)) } ?? .capture
    case .damaged(let why):
      let before = facts.isDiscarded ? facts.before : nil
      self = before.map { .repair(with: $0, why: why) } ?? .refuse(.damaged(why))
    }
  }
}

extension StoreError.Leftover {
  /// What is left of the edit under a lock that somebody else ended.
  ///
  /// - Parameters:
  ///   - edit: The version that holds it.
  ///   - steps: The steps that were taken to bring the live file up to date.
  ///   - isAsRecorded: Whether the live file is as this device has left it.
  init(edit: VersionID?, after steps: [Action], isAsRecorded: Bool) {
    let damage = steps.lazy.compactMap { step in
      if case .repair(_, let why) = step { why } else { nil }
    }
    if let edit {
      self = .kept(edit)
    } else if let why = damage.first {
      self = .damaged(why)
    } else {
      self = isAsRecorded ? .none : .waiting
    }
  }
}

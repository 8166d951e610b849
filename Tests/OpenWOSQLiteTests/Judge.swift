import OpenWOSQLite
import Synchronization

/// A judge for tests: counts how often it is asked, and refuses unless told otherwise.
final class Judge: Sendable {
  typealias Answer = @Sendable (borrowing HotJournal) -> JournalVerdict

  private let state = Mutex<(asked: Int, answer: Answer)>((0, { _ in .refuse }))

  var asked: Int { state.withLock { $0.asked } }

  func answer(_ answer: @escaping Answer) {
    state.withLock { $0.answer = answer }
  }

  private func decide(_ journal: borrowing HotJournal) -> JournalVerdict {
    let answer = state.withLock { state in
      state.asked += 1
      return state.answer
    }
    return answer(journal)
  }

  var policy: GuardPolicy { .live { self.decide($0) } }
  var foldPolicy: GuardPolicy { .foldWAL { self.decide($0) } }
}

import OpenWOCSQLite
import SystemPackage

/// Carries a Swift closure through the guard's C callback.
final class JournalJudge {
  private let decide: @Sendable (borrowing HotJournal) -> JournalVerdict

  init(_ decide: @escaping @Sendable (borrowing HotJournal) -> JournalVerdict) {
    self.decide = decide
  }

  /// The context that the guard passes to `ask`; valid as long as this object.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let ask:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<sqlite3_file>?, UnsafePointer<CChar>?
    ) -> openwo_verdict = { context, file, path in
      guard let context, let file, let path else { return OPENWO_REFUSE }
      let judge = Unmanaged<JournalJudge>.fromOpaque(context).takeUnretainedValue()
      let journal = HotJournal(journalPath: FilePath(platformString: path), file: file)
      return switch judge.decide(journal) {
      case .replay: OPENWO_REPLAY
      case .refuse: OPENWO_REFUSE
      case .gone: OPENWO_GONE
      }
    }
}

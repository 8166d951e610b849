import OpenWOHistory
import OpenWOSQLite
import Synchronization

/// The commits of this process that have no version yet.
///
/// Whoever judges a journal beneath a connection asks whether there are any.
final class UncapturedCommits: Sendable {
  struct Changes: Sendable {
    /// The content that was captured last.
    var base: ContentHash?
    /// The pages written since; nil: any may have been.
    var pages: Set<UInt32>? = []
  }

  private let changes = Mutex<Changes?>(nil)

  var areAny: Bool { changes.withLock { $0 != nil } }

  /// Adds a commit; `content` is what was captured last.
  func add(_ changed: ChangedPages, to content: ContentHash?) {
    changes.withLock { changes in
      var sum = changes ?? Changes(base: content)
      if case .pages(let pages) = changed {
        sum.pages?.formUnion(pages)
      } else {
        sum.pages = nil
      }
      changes = sum
    }
  }

  /// The pages in which they differ from a content; all if that is not known.
  func pages(since content: ContentHash?) -> ChangedPages {
    changes.withLock { changes in
      guard let pages = changes?.pages, let base = changes?.base, base == content else {
        return .all
      }
      return .pages(pages.sorted())
    }
  }

  /// Takes them out, as they are captured from a file of their own; nil if there are none.
  func take() -> Changes? {
    changes.withLock { changes in
      defer { changes = nil }
      return changes
    }
  }

  /// They have a version now, or can have none any more.
  func end() { changes.withLock { $0 = nil } }
}

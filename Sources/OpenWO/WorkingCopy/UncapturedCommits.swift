import OpenWOHistory
import OpenWOSQLite
import Synchronization

/// The commits of this process that have no version yet.
///
/// Whoever judges a journal beneath a connection asks whether there are any.
final class UncapturedCommits: Sendable {
  private struct Changes {
    /// The content that was captured last.
    var base: ContentHash?
    /// The pages written since; nil: any may have been.
    var pages: Set<UInt32>? = []
  }

  private let changes = Mutex<Changes?>(nil)

  var areAny: Bool { changes.withLock { $0 != nil } }

  /// The content that was captured before the first of them.
  var base: ContentHash? { changes.withLock { $0?.base } }

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

  /// They have a version now, or can have none any more.
  func end() { changes.withLock { $0 = nil } }
}

#if canImport(Darwin)
  import Foundation

  /// Hears from the system about one item.
  final class ICloudPresenter: NSObject, NSFilePresenter, Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    private let events: FolderEvents
    private let yields: Bool

    init(_ item: URL, _ events: FolderEvents, yields: Bool) {
      (presentedItemURL, self.events, self.yields) = (item, events, yields)
      super.init()
      presentedItemOperationQueue.maxConcurrentOperationCount = 1
    }

    // What has changed is told by the calls below: this app's own turns end here, too.
    func relinquishPresentedItem(
      toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
      if yields { events.yield() }
      reader(nil)
    }

    func relinquishPresentedItem(
      toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
      if yields { events.yield() }
      writer(nil)
    }

    func accommodatePresentedItemDeletion(
      completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
      if yields { events.yield() }
      completionHandler(nil)
      events.changed()
    }

    func presentedItemDidChange() { events.changed() }
    func presentedItemDidMove(to newURL: URL) { events.changed() }
    func presentedItemDidGain(_ version: NSFileVersion) { events.changed() }
    func presentedSubitemDidAppear(at url: URL) { events.changed() }
    func presentedSubitemDidChange(at url: URL) { events.changed() }
  }
#endif

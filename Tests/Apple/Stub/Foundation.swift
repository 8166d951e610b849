// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap
// What the adapter uses of Apple's `Foundation`, with the signatures of the macOS 15 and iOS 18 SDKs as Swift imports them; no body runs.
//
// The methods of `NSFilePresenter` are optional there. Here those that the adapter has to answer are
// required, so that a misspelt one does not go unnoticed.

@_exported public import Dispatch

public protocol NSObjectProtocol: AnyObject {}

open class NSObject: NSObjectProtocol {
  public init() {}
}

public struct Date: Sendable, Hashable {
  public init(timeIntervalSince1970: Double) { fatalError() }
  public var timeIntervalSince1970: Double { fatalError() }
}

public struct URL: Sendable, Hashable {
  public init(fileURLWithPath path: String) { fatalError() }
  public var path: String { fatalError() }
  public func checkResourceIsReachable() throws -> Bool { fatalError() }
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
    fatalError()
  }
}

public struct URLResourceKey: Hashable, RawRepresentable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let ubiquitousItemDownloadingStatusKey = URLResourceKey(rawValue: "")
}

public struct URLUbiquitousItemDownloadingStatus: Hashable, RawRepresentable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let notDownloaded = URLUbiquitousItemDownloadingStatus(rawValue: "")
  public static let downloaded = URLUbiquitousItemDownloadingStatus(rawValue: "")
  public static let current = URLUbiquitousItemDownloadingStatus(rawValue: "")
}

public struct URLResourceValues {
  public var ubiquitousItemDownloadingStatus: URLUbiquitousItemDownloadingStatus? { fatalError() }
}

open class NSError: NSObject, Error, @unchecked Sendable {}

/// Apple's is an `AutoreleasingUnsafeMutablePointer`, which a variable is passed to in the same way.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

open class OperationQueue: NSObject, @unchecked Sendable {
  public override init() { fatalError() }
  open var maxConcurrentOperationCount: Int {
    get { fatalError() }
    set { fatalError() }
  }
}

open class FileManager: NSObject {
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  open class var `default`: FileManager { fatalError() }
  open func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?,
    options mask: DirectoryEnumerationOptions = []
  ) throws -> [URL] { fatalError() }
  open func startDownloadingUbiquitousItem(at url: URL) throws { fatalError() }
}

open class NSFileVersion: NSObject {
  open class func unresolvedConflictVersionsOfItem(at url: URL) -> [NSFileVersion]? {
    fatalError()
  }
  open var url: URL { fatalError() }
  open var modificationDate: Date? { fatalError() }
  open var hasLocalContents: Bool { fatalError() }
  open var isResolved: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  open func remove() throws { fatalError() }
}

public protocol NSFilePresenter: NSObjectProtocol {
  var presentedItemURL: URL? { get }
  var presentedItemOperationQueue: OperationQueue { get }
  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
  func accommodatePresentedItemDeletion(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  func presentedItemDidChange()
  func presentedItemDidMove(to newURL: URL)
  func presentedItemDidGain(_ version: NSFileVersion)
  func presentedSubitemDidAppear(at url: URL)
  func presentedSubitemDidChange(at url: URL)
}

open class NSFileCoordinator: NSObject {
  public struct ReadingOptions: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var withoutChanges: ReadingOptions { fatalError() }
    public static var resolvesSymbolicLink: ReadingOptions { fatalError() }
    public static var immediatelyAvailableMetadataOnly: ReadingOptions { fatalError() }
    public static var forUploading: ReadingOptions { fatalError() }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var forDeleting: WritingOptions { fatalError() }
    public static var forMoving: WritingOptions { fatalError() }
    public static var forMerging: WritingOptions { fatalError() }
    public static var forReplacing: WritingOptions { fatalError() }
    public static var contentIndependentMetadataOnly: WritingOptions { fatalError() }
  }
  open class func addFilePresenter(_ filePresenter: any NSFilePresenter) { fatalError() }
  open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) { fatalError() }
  public init(filePresenter filePresenterOrNil: (any NSFilePresenter)?) { fatalError() }
  open func coordinate(
    readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
    byAccessor reader: (URL) -> Void
  ) { fatalError() }
  open func coordinate(
    writingItemAt url1: URL, options options1: WritingOptions = [], writingItemAt url2: URL,
    options options2: WritingOptions = [], error outError: NSErrorPointer,
    byAccessor writer: (URL, URL) -> Void
  ) { fatalError() }
}

// Apple's `Dispatch` has these; Linux's has only the events.

public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {}

extension DispatchSource {
  public class func makeFileSystemObjectSource(
    fileDescriptor: Int32, eventMask: DispatchSource.FileSystemEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceFileSystemObject { fatalError() }
}

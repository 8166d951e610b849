/// A page does not say what a page at its place must say.
package struct MalformedPage: Error, Hashable, Sendable {
  /// The kind of fault.
  package enum Reason: Sendable {
    case outOfRange, kind, cellPointer, payload, overflow, header, serialType, depth, cycle
  }

  /// The page's number, 1-based.
  package let page: UInt32

  /// Its fault.
  package let reason: Reason

  /// Says what is wrong with a page.
  package init(page: UInt32, reason: Reason) {
    (self.page, self.reason) = (page, reason)
  }
}

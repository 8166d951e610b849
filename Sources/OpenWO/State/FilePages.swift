import OpenWOHistory
import OpenWOMerge

/// The pages of a file that need not be a database.
final class FilePages: PageSource {
  let pageSize: Int
  let pageCount: Int
  let reservedBytes: Int
  private let content: FileContent

  /// Nil if nothing in it looks like a page of a database.
  init?(_ content: FileContent) throws {
    guard let guess = try PageGuess(size: content.size, read: content.read) else { return nil }
    (pageSize, reservedBytes) = (guess.pageSize, guess.reservedBytes)
    pageCount = Int(min(content.size / Int64(guess.pageSize), Int64(Int32.max)))
    self.content = content
    guard pageCount > 0 else { return nil }
  }

  func read(pagesFrom first: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    guard try content.read(at: Int64(first - 1) * Int64(pageSize), into: buffer) == buffer.count
    else { throw MalformedPage(page: UInt32(first), reason: .outOfRange) }
  }
}

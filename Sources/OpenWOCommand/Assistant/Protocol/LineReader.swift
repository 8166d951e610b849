import OpenWO
import OpenWOFiles
import SystemPackage

/// Reads lines from a program at the other end, each of a bounded length.
struct LineReader {
  /// The result of reading a line.
  enum Line {
    case whole([UInt8])
    /// A line longer than the limit, which was passed over.
    case tooLong
  }

  private let input: FileDescriptor
  private let limit: Int
  private var waiting: [UInt8] = []
  private var place = 0
  private var isEnded = false

  init(_ input: FileDescriptor, limit: Int) {
    (self.input, self.limit) = (input, limit)
  }

  /// The next line without its end; nil after the last one.
  mutating func next() throws -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      let rest = waiting[place...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let piece = rest[..<(end ?? rest.endIndex)]
      isTooLong = isTooLong || line.count + piece.count > limit
      if isTooLong { line = [] } else { line += piece }
      if let end {
        place = end + 1
        return isTooLong ? .tooLong : .whole(line)
      }
      guard try refill() else {
        if isTooLong { return .tooLong }
        return line.isEmpty ? nil : .whole(line)
      }
    }
  }

  private mutating func refill() throws -> Bool {
    place = 0
    waiting.removeAll(keepingCapacity: true)
    guard !isEnded else { return false }
    waiting = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = try input.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    isEnded = waiting.isEmpty
    return !isEnded
  }
}

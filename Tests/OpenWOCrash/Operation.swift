import Foundation
import SystemPackage

/// One change of the disk as the shim wrote it down.
struct Operation {
  enum Kind: UInt8 {
    case create = 0x63  // c
    case write = 0x77  // w
    case truncate = 0x74  // t
    case extend = 0x61  // a
    case sync = 0x73  // s
    case syncFolder = 0x53  // S
    case rename = 0x72  // r
    case exchange = 0x78  // x
    case unlink = 0x75  // u
    case link = 0x6C  // l
    case makeFolder = 0x64  // d
    case removeFolder = 0x44  // D
    case setTime = 0x6D  // m
    case acknowledge = 0x6B  // k
    case unknown = 0x21  // !
  }

  var kind: Kind
  var inode: UInt64
  /// An offset, a size or a time.
  var number: Int64
  /// When it took place, in nanoseconds.
  var at: Int64
  var one: [UInt8]
  var two: [UInt8]

  /// The first string as text.
  var text: String { String(decoding: one, as: UTF8.self) }
  var secondText: String { String(decoding: two, as: UTF8.self) }

  /// Reads a log.
  static func read(_ bytes: [UInt8]) throws -> [Operation] {
    var operations: [Operation] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      guard words.count == 6, let kind = Kind(rawValue: words[0].utf8.first ?? 0),
        let inode = UInt64(words[1]), let number = Int64(words[2]), let at = Int64(words[3]),
        let first = Int(words[4]), let second = Int(words[5]),
        end + 1 + first + second <= rest.endIndex
      else { throw Failure("the log is not readable") }
      let middle = end + 1 + first
      operations.append(
        Operation(
          kind: kind, inode: inode, number: number, at: at, one: Array(rest[(end + 1)..<middle]),
          two: Array(rest[middle..<(middle + second)])))
      rest = rest[(middle + second)...]
    }
    return operations
  }
}

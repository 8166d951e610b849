import OpenWOFiles
import SystemPackage

/// One word of the command line or the value of a variable, as the system gives it: bytes, and text by custom only.
struct Word: Sendable, Hashable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The word as text; invalid UTF-8 is repaired.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The word as a path, byte for byte.
  var path: FilePath { FilePath(bytes: bytes) }
  /// The word for people, safe to print.
  var printable: String { String(printable: bytes) }

  /// The word with another one in place of each `{}`; nil if there is none.
  func replacingBraces(with other: [UInt8]) -> Word? {
    let braces = Array("{}".utf8)
    var result: [UInt8] = []
    var rest = bytes[...]
    var isFound = false
    while let byte = rest.first {
      if rest.starts(with: braces) {
        result += other
        rest = rest.dropFirst(braces.count)
        isFound = true
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return isFound ? Word(result) : nil
  }
}

import SystemPackage

/// The forms in which SQLite takes a path: plain bytes, or a URI that carries options.
enum DatabaseURI {
  /// The path as it is, but never one of the names with a meaning of their own, as `:memory:` or `file:x`.
  static func plain(_ path: FilePath) -> [CChar] {
    let bytes = path.withPlatformString { start in
      Array(UnsafeBufferPointer(start: start, count: path.length + 1))
    }
    return path.isAbsolute ? bytes : [0x2e, 0x2f] + bytes
  }

  /// A URI that tells SQLite that nobody changes the file.
  static func immutable(_ path: FilePath) -> [CChar] {
    let digits = Array("0123456789ABCDEF".utf8)
    var uri = Array((path.isAbsolute ? "file://" : "file:").utf8)
    for byte in plain(path).dropLast().map(UInt8.init(bitPattern:)) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        uri.append(byte)
      default:
        uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    uri += Array("?immutable=1".utf8) + [0]
    return uri.map(CChar.init(bitPattern:))
  }
}

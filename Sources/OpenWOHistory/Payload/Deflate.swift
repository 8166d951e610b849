internal import OpenWOCZlib

/// The system's zlib, for pieces of known and bounded size.
enum Deflate {
  /// Packs bytes into a zlib stream (RFC 1950).
  ///
  /// The parts that two pages share are already gone, so a longer search for repetitions saves
  /// almost nothing.
  static func pack(_ bytes: [UInt8]) throws(HistoryError) -> [UInt8] {
    var count = compressBound(uLong(bytes.count))
    var status = Z_OK
    let packed = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      status = compress2(buffer.baseAddress, &count, bytes, uLong(bytes.count), 3)
      filled = status == Z_OK ? Int(count) : 0
    }
    guard status == Z_OK else { throw .damaged("zlib could not pack the pages") }
    return packed
  }

  /// Unpacks a zlib stream that holds at most `limit` bytes and ends with the last byte given.
  static func unpack(_ bytes: [UInt8], limit: Int) throws(HistoryError) -> [UInt8] {
    var (taken, count) = (uLong(bytes.count), uLong(limit))
    var status = Z_OK
    let unpacked = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
      status = uncompress2(buffer.baseAddress, &count, bytes, &taken)
      filled = status == Z_OK ? Int(count) : 0
    }
    guard status == Z_OK, Int(taken) == bytes.count else {
      throw .damaged("packed pages cannot be unpacked")
    }
    return unpacked
  }
}

/// Whether two stretches of memory of equal length hold the same bytes; written so that the
/// compiler turns it into vector instructions.
func sameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  guard left.count == right.count else { return false }
  guard let a = left.baseAddress, let b = right.baseAddress else { return true }
  var at = 0
  while at + 256 <= left.count {
    var differing: UInt64 = 0
    for word in 0..<32 {
      let x = a.loadUnaligned(fromByteOffset: at &+ word &* 8, as: UInt64.self)
      let y = b.loadUnaligned(fromByteOffset: at &+ word &* 8, as: UInt64.self)
      differing |= x ^ y
    }
    if differing != 0 { return false }
    at += 256
  }
  while at + 8 <= left.count {
    let x = a.loadUnaligned(fromByteOffset: at, as: UInt64.self)
    if x != b.loadUnaligned(fromByteOffset: at, as: UInt64.self) { return false }
    at += 8
  }
  while at < left.count {
    if a.load(fromByteOffset: at, as: UInt8.self) != b.load(fromByteOffset: at, as: UInt8.self) {
      return false
    }
    at += 1
  }
  return true
}

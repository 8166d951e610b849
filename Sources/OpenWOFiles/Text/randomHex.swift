/// Random bytes of the system's generator as lower-case hexadecimal digits, two a byte.
package func randomHex(bytes: Int) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var generator = SystemRandomNumberGenerator()
  var text: [UInt8] = []
  for _ in 0..<bytes {
    let byte = Int(generator.next() as UInt8)
    text += [digits[byte >> 4], digits[byte & 15]]
  }
  return String(decoding: text, as: UTF8.self)
}

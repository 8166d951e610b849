/// Random bytes as lower-case hexadecimal digits, for names that must not meet.
package func randomHex(bytes: Int) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var generator = SystemRandomNumberGenerator()
  var text: [UInt8] = []
  // A word at a time, as each one costs a call of the system.
  for _ in 0..<(bytes + 7) / 8 {
    let word: UInt64 = generator.next()
    for shift in stride(from: 0, to: 64, by: 4) { text.append(digits[Int(word >> shift & 15)]) }
  }
  return String(decoding: text.prefix(bytes * 2), as: UTF8.self)
}

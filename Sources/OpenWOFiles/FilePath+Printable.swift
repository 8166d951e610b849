package import SystemPackage

extension FilePath {
  /// The path's bytes, without the closing NUL.
  package var bytes: [UInt8] {
    withPlatformString { text in
      UnsafeBufferPointer(start: text, count: length).map { UInt8(bitPattern: $0) }
    }
  }

  /// The path for people: control, direction and stray bytes are escaped, all else is as it is.
  package var printable: String { openWOPrintable(bytes) }
}

extension FilePath.Component {
  /// The name's bytes, without the closing NUL.
  package var bytes: [UInt8] { FilePath(root: nil, [self]).bytes }

  /// The name for people: control, direction and stray bytes are escaped, all else is as it is.
  package var printable: String { openWOPrintable(bytes) }
}

/// Text from outside made safe to print: what could move a cursor or turn the writing direction
/// becomes `\u{…}`, bytes that are no UTF-8 become `\x…`.
package func openWOPrintable(_ bytes: [UInt8]) -> String {
  var result = ""
  var parser = Unicode.UTF8.ForwardParser()
  var source = bytes.makeIterator()
  var position = 0
  while true {
    switch parser.parseScalar(from: &source) {
    case .valid(let encoded):
      let scalar = Unicode.UTF8.decode(encoded)
      let shown = isHarmless(scalar) ? String(scalar) : "\\u{\(hex(scalar.value))}"
      result += shown
      position += encoded.count
    case .error(let length):
      for byte in bytes[position..<position + length] { result += "\\x\(hex(byte))" }
      position += length
    case .emptyInput: return result
    }
  }
}

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
  default: true
  }
}

private func hex(_ value: some FixedWidthInteger) -> String {
  let digits = String(value, radix: 16)
  return digits.count < 2 ? "0" + digits : digits
}

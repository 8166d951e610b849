extension String {
  /// Makes text from outside safe to print: characters that could move the cursor or change the
  /// writing direction become `\u{…}`, invalid UTF-8 becomes `\x…`.
  package init(printable bytes: some Collection<UInt8>) {
    self = ""
    var parser = Unicode.UTF8.ForwardParser()
    var source = bytes.makeIterator()
    var rest = bytes[...]
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        self += scalar.isHarmless ? "\(scalar)" : "\\u{\(hex(scalar.value))}"
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) { append("\\x\(hex(byte))") }
        rest = rest.dropFirst(length)
      case .emptyInput: return
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it can be printed as it is: it neither moves a cursor nor turns the writing direction.
  package var isHarmless: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

private func hex(_ value: some FixedWidthInteger) -> String {
  let digits = String(value, radix: 16)
  return digits.count < 2 ? "0" + digits : digits
}

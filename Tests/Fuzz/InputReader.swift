/// Makes choices and pieces of an input; an input that is at an end gives zeros and nothing.
struct InputReader {
  private var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) {
    rest = input[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number below the bound, which is at most 256.
  mutating func choice(_ bound: Int) -> Int { bound > 1 ? Int(byte()) % bound : 0 }

  mutating func chance(_ of256: UInt8) -> Bool { byte() < of256 }

  /// A number of two bytes.
  mutating func word() -> Int { Int(byte()) << 8 | Int(byte()) }

  /// The next bytes, as many as there are.
  mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func takeAll() -> [UInt8] { take(rest.count) }
}

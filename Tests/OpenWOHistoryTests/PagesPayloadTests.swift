import OpenWOHistory
import OpenWOTestSupport
import Testing

@testable import OpenWOHistory

@Suite("pages payload")
struct PagesPayloadTests {
  static func encode(
    _ old: [UInt8], _ new: [UInt8], pageSize: Int, changed: [UInt32]? = nil
  ) throws -> [UInt8] {
    let (old, new) = (MemoryContent(old), MemoryContent(new))
    let pages = try changed ?? PagesPayload.changedPages(from: old, to: new, pageSize: pageSize)
    var bytes: [UInt8] = []
    try PagesEncoder.encode(changed: pages, from: old, to: new, pageSize: pageSize) { bytes += $0 }
    return bytes
  }

  static func decode(_ old: [UInt8], _ payloads: [[UInt8]], sizes: [Int]) throws -> [UInt8] {
    let layers = try zip(payloads, sizes).map {
      try PagesLayer(MemoryContent($0), newSize: Int64($1))
    }
    let reader = try ContentReader(
      ContentHash(of: []), bottom: MemoryContent(old), layers: layers)
    var bytes: [UInt8] = []
    try reader.forEachPiece { bytes += $0 }
    return bytes
  }

  /// Changes content as databases change: bytes here and there, shifted pieces, new pages, fewer pages.
  static func change(
    _ old: [UInt8], pageSize: Int, with random: inout SeededRandom
  ) -> [UInt8] {
    var new = old
    for _ in 0..<Int.random(in: 0..<8, using: &random) where !new.isEmpty {
      let start = Int.random(in: new.indices, using: &random)
      let count = min(new.count - start, Int.random(in: 1..<400, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        for place in start..<start + count { new[place] = .random(in: 0...255, using: &random) }
      case 1: for place in start..<start + count { new[place] = 0 }
      default:
        let from = Int.random(in: 0...new.count - count, using: &random)
        new.replaceSubrange(start..<start + count, with: Array(new[from..<from + count]))
      }
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let growth = Int.random(in: 1..<5 * pageSize, using: &random)
      new += (0..<growth).map { _ in .random(in: 0...9, using: &random) }
    case 1: new.removeLast(Int.random(in: 0...new.count, using: &random))
    default: break
    }
    return new
  }

  @Test(arguments: [512, 1024, 4096, 65_536])
  func `any chain of changes gives back every content`(pageSize: Int) throws {
    for seed in 0..<(pageSize > 4096 ? 3 : 25) {
      var random = SeededRandom(seed: UInt64(seed))
      let first = (0..<Int.random(in: 0..<9 * pageSize, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      var contents = [first]
      var payloads: [[UInt8]] = []
      for _ in 0..<8 {
        let new = Self.change(contents[contents.count - 1], pageSize: pageSize, with: &random)
        payloads.append(try Self.encode(contents[contents.count - 1], new, pageSize: pageSize))
        contents.append(new)
        let sizes = contents.dropFirst().map(\.count)
        #expect(try Self.decode(first, payloads, sizes: sizes) == new, "seed \(seed)")
      }
    }
  }
}

@Suite("golden pages payload")
struct GoldenPagesTests {
  /// Made by a program in another language from the specification alone.
  private static let payload =
    "6f77706167657301000200001405000000000000080700000000000003010201f801789c634861e0f270f5f1f10f"
    + "f70ff27199c4ccc0308589e10d23032313330b2b1b3b072717370f2f1fbf80a090b088a898b884a494b48cac9cbc"
    + "82a292b28aaa9aba86a696b68eae9ebe81a191b189a999b985a595b58dad9dbd83a393b38bab9bbb87a797b78faf"
    + "9f7f4060507048685878446454744c6c5c7c426252724a6a5a7a466656764e6e5e7e4161517149695979456555754d"
    + "6d5d7d436353734b6b5b7b476757774f6f5fff848993264f993a6dfa8c99b366cf993b6ffe82858b162f59ba6cf98a"
    + "95ab56af59bb6efd868d9b366fd9ba6dfb8e9dbb76efd9bb6fff8183870e1f397aec3831fee8601a2e3ea1d41f00f8"
    + "b8b4db00"

  @Test func `a payload of another program gives the right content`() throws {
    var bytes: [UInt8] = []
    var rest = Self.payload[...]
    while !rest.isEmpty {
      bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
      rest = rest.dropFirst(2)
    }
    let content = try PagesPayloadTests.decode(HashTests.sample(1300), [bytes], sizes: [1800])
    let hash = "99689a930f67e5632730ed46ffc3646309857e064f75fb428b85e94cb5e68adf"
    #expect(ContentHash(of: content).description == hash)
  }
}

@Suite("hostile pages payload")
struct HostilePagesTests {
  private let old = (0..<5000).map { UInt8($0 % 251) }
  private var new: [UInt8] {
    var new = old + [UInt8](repeating: 3, count: 2000)
    new.replaceSubrange(600..<650, with: [UInt8](repeating: 9, count: 50))
    return new
  }

  private func tryAll(_ payload: [UInt8]) throws -> [UInt8] {
    try PagesPayloadTests.decode(old, [payload], sizes: [new.count])
  }

  @Test func `a payload that arrived in part, or with more, is refused at every length`() throws {
    let payload = try PagesPayloadTests.encode(old, new, pageSize: 512)
    #expect(try tryAll(payload) == new)
    for count in payload.indices {
      #expect(throws: HistoryError.self) { try tryAll(Array(payload.prefix(count))) }
    }
    for more: [UInt8] in [[0], [1], payload] {
      #expect(throws: HistoryError.self) { try tryAll(payload + more) }
    }
  }

  @Test func `no garbled payload traps or gives content of another size`() throws {
    let payload = try PagesPayloadTests.encode(old, new, pageSize: 512)
    var random = SeededRandom(seed: 5)
    for _ in 0..<1500 {
      var garbled = payload
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: garbled.indices, using: &random)
        garbled[place] =
          [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)][
            .random(in: 0..<6, using: &random)]
      }
      guard let made = try? tryAll(garbled) else { continue }
      #expect(made.count == new.count)
    }
  }

  @Test func `no garbled steps trap`() throws {
    let (old, new) = (Array(old.prefix(4096)), Array(new.prefix(4096)))
    var steps: [UInt8] = []
    var encoder = PageDeltaEncoder()
    new.withUnsafeBytes { new in
      old.withUnsafeBytes { encoder.append(new, basedOn: $0, to: &steps) }
    }
    var random = SeededRandom(seed: 6)
    for _ in 0..<20_000 {
      var garbled = steps
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        garbled[.random(in: garbled.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      var page = [UInt8](repeating: 0, count: 4096)
      let whole = Bool.random(using: &random) ? old : []
      garbled.withUnsafeBytes { garbled in
        var reader = ByteReader(garbled)
        whole.withUnsafeBytes { whole in
          page.withUnsafeMutableBytes { page in
            _ = try? PageDelta.apply(&reader, to: whole, making: page)
          }
        }
        var other = ByteReader(garbled)
        _ = try? PageDelta.skip(&other, pageSize: 4096)
      }
    }
  }

  /// A head and units made by hand: numbers under 128 are single bytes.
  private func payload(
    pageSize: UInt32 = 512, old: Int64 = 1024, new: Int64 = 1024, _ units: [UInt8]
  ) -> [UInt8] {
    var bytes = PagesPayload.magic
    bytes.append(fixed: pageSize)
    bytes.append(fixed: old)
    bytes.append(fixed: new)
    return bytes + units
  }

  @Test(arguments: [
    [1, 0, 1, 0, 0], [1, 3, 1, 0, 0], [2, 1, 0, 1, 0, 0], [2, 2, 1, 1, 0, 0], [1, 1, 0, 0],
    [1, 1, 0xFF, 0x7F, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
    [0x81, 2, 1], [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0], [],
  ])
  func `lists of pages that make no sense are refused`(units: [UInt8]) {
    #expect(throws: HistoryError.self) {
      try PagesIndex(MemoryContent(payload(units)), newSize: 1024)
    }
  }

  @Test func `heads that make no sense are refused`() throws {
    let fine = try PagesIndex(MemoryContent(payload([0])), newSize: 1024)
    #expect(fine.pages.isEmpty)
    for wrong in [
      payload(pageSize: 0, [0]), payload(pageSize: 513, [0]), payload(pageSize: 1 << 31, [0]),
      payload(old: -1, [0]), payload(old: .max, [0]), payload(old: 512, [0]),
    ] {
      #expect(throws: HistoryError.self) { try PagesIndex(MemoryContent(wrong), newSize: 1024) }
    }
    for size in [Int64.max, -1, 1 << 47] {
      #expect(throws: HistoryError.self) {
        try PagesIndex(MemoryContent(payload(new: size, [0])), newSize: size)
      }
    }
  }

  @Test func `layers that do not fit the content below are refused`() throws {
    let payload = try PagesPayloadTests.encode(old, new, pageSize: 512)
    let other = try PagesPayloadTests.encode(new, new, pageSize: 1024)
    let size = new.count
    #expect(throws: HistoryError.self) {
      try PagesPayloadTests.decode([1], [payload], sizes: [size])
    }
    #expect(throws: HistoryError.self) {
      try PagesPayloadTests.decode(old, [payload, other], sizes: [size, size])
    }
  }

  @Test func `a unit that unpacks to more than its pages need is refused`() throws {
    let bomb = try Deflate.pack([UInt8](repeating: 0, count: 1_000_000))
    var units: [UInt8] = [1, 1]
    units.append(number: bomb.count)
    let whole = payload(units + bomb + [0])
    #expect(throws: HistoryError.self) {
      let layer = try PagesLayer(MemoryContent(whole), newSize: 1024)
      _ = try layer.unpack(unit: 0)
    }
  }

  @Test func `content can be read at any place without the rest`() throws {
    let payload = try PagesPayloadTests.encode(old, new, pageSize: 512)
    let layer = try PagesLayer(MemoryContent(payload), newSize: Int64(new.count))
    let reader = try ContentReader(
      ContentHash(of: new), bottom: MemoryContent(old), layers: [layer])
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      let offset = Int.random(in: 0...new.count + 10, using: &random)
      var buffer = [UInt8](repeating: 0, count: .random(in: 0...3000, using: &random))
      let count = try buffer.withUnsafeMutableBytes { try reader.read(at: Int64(offset), into: $0) }
      #expect(Array(buffer.prefix(count)) == Array(new.dropFirst(offset).prefix(buffer.count)))
    }
    var buffer: [UInt8] = [0]
    #expect(try buffer.withUnsafeMutableBytes { try reader.read(at: -1, into: $0) } == 0)
    #expect(try buffer.withUnsafeMutableBytes { try reader.read(at: .max, into: $0) } == 0)
  }
}

import OpenWOHistory
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
    for seed in 0..<60 {
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

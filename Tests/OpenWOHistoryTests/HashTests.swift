import OpenWOTestSupport
import Testing

@testable import OpenWOHistory

@Suite("tree hash")
struct HashTests {
  static func sample(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(($0 * 7 + $0 / 256) % 256) }
  }

  @Test(arguments: [
    (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (1, "1406e05881e299367766d313e26c05564ec91bf721d31726bd6e46e60689539a"),
    (65_535, "b384dd4fd36073d1694bdc308cadacfa9ddca265595510d87c48ea6680f4ddf1"),
    (65_536, "721db4245c84247e0a1ea3f3a471d59b0986097b5fcb764ab8e1220baad71532"),
    (65_537, "ccbb26cbde08b5f6dee0ae7bf997d1eb0e70e097d7e6b59085daa7b3659a8a5e"),
    (200_000, "426c0bf1f152fe2571d180af9199589e545931b5c032fe136b68eb5d5321a85d"),
  ])
  func `content has the hash that other programs compute`(count: Int, hash: String) {
    #expect(ContentHash(of: Self.sample(count)).description == hash)
  }

  @Test func `the pieces in which content streams by make no difference`() {
    var random = SeededRandom(seed: 1)
    let content = Self.sample(300_000)
    for _ in 0..<20 {
      var hasher = TreeHasher()
      var rest = content[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(.random(in: 1...100_000, using: &random)))
        piece.withUnsafeBytes { hasher.update($0) }
        rest = rest.dropFirst(piece.count)
      }
      #expect(hasher.finish().root == ContentHash(of: content))
    }
  }

  @Test func `incremental digests equal those of the whole file`() throws {
    for seed in 0..<40 {
      var random = SeededRandom(seed: UInt64(seed))
      var content = MemoryContent([])
      var bytes: [UInt8] = []
      var digests = try BlockDigests(size: 0) { content.read(at: $0, into: $1) }
      for _ in 0..<12 {
        var blocks: [Int] = []
        let size = Int.random(in: 0...300_000, using: &random)
        if Bool.random(using: &random) {
          bytes =
            Array(bytes.prefix(size)) + [UInt8](repeating: 1, count: max(size - bytes.count, 0))
        }
        for _ in 0..<Int.random(in: 0..<5, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: bytes.indices, using: &random)
          bytes[place] &+= 1
          blocks.append(place / BlockDigests.blockSize)
        }
        content = MemoryContent(bytes)
        try digests.update(size: Int64(bytes.count), changed: blocks) {
          content.read(at: $0, into: $1)
        }
        #expect(digests.root == ContentHash(of: bytes), "seed \(seed)")
      }
      #expect(BlockDigests(bytes: digests.bytes, size: digests.size) == digests)
      #expect(BlockDigests(bytes: digests.bytes + [0], size: digests.size) == nil)
    }
  }

  @Test func `a change that cannot be read leaves the digests as they were`() throws {
    let content = MemoryContent(Self.sample(100_000))
    var digests = try BlockDigests(size: 100_000) { content.read(at: $0, into: $1) }
    let before = digests
    #expect(throws: HistoryError.self) {
      try digests.update(size: 200_000, changed: [0]) { content.read(at: $0, into: $1) }
    }
    #expect(digests == before)
  }

  @Test func `pages are found in their blocks`() {
    #expect(BlockDigests.blocks(holding: [1, 16, 17, 33, 16], pageSize: 4096) == [0, 1, 2])
    #expect(BlockDigests.blocks(holding: [1, 2, 3], pageSize: 65_536) == [0, 1, 2])
    #expect(BlockDigests.blocks(holding: [0, 129], pageSize: 512) == [1])
  }

  @Test func `digests are read from lower-case hexadecimal digits only`() {
    let text = String(repeating: "0f", count: 32)
    #expect(VersionID(text)?.description == text)
    for wrong in [
      "", "0f", text.uppercased(), text + "0", text.dropLast() + "g", "é" + text.dropFirst(2),
    ] {
      #expect(VersionID(wrong) == nil)
      #expect(ContentHash(hex: wrong) == nil)
    }
  }
}

import Corpora
import OpenWOFiles
import OpenWOHistory
import OpenWOTestSupport
import SystemPackage
import Testing

@testable import OpenWO

struct BaselineTests {
  private let files = FileSystem()
  private let version = Digest(hashing: [1])

  private func record(_ bytes: [UInt8]) throws -> Baseline {
    let content = MemoryContent(bytes)
    return Baseline(
      current: VersionID(version),
      signature: FileSignature(device: 1, inode: 2, size: content.size, mtime: -3, ctime: 4),
      digests: try BlockDigests(size: content.size) { content.read(at: $0, into: $1) })
  }

  @Test func `a record comes back as it was written, whatever changed since the last one`() throws {
    let place = try Place()
    var random = SeededRandom(seed: 5)
    var bytes = [UInt8](repeating: 0, count: 100 * BlockDigests.blockSize + 17)
    var saved: Baseline.Saved?
    for _ in 0..<60 {
      switch random.number(0...5) {
      case 0: bytes.removeLast(random.number(1...bytes.count))
      case 1: bytes += [UInt8](repeating: 7, count: random.number(1...3_000_000))
      case 2:
        for place in stride(from: 0, to: bytes.count, by: 65_536) { bytes[place] &+= 1 }
      default: if !bytes.isEmpty { bytes[random.number(0...bytes.count - 1)] &+= 1 }
      }
      let record = try record(bytes)
      saved = try record.save(place.folder, boot: "now", over: saved, files)
      #expect(Baseline.load(place.folder, boot: "now", files)?.baseline == record)
      #expect(Baseline.load(place.folder, boot: "later", files) == nil)
      #expect(try files.list(place.folder).count <= 2)
    }
  }

  @Test func `a record without its digests is none`() throws {
    let place = try Place()
    let bytes = [UInt8](repeating: 0, count: 100 * BlockDigests.blockSize)
    _ = try record(bytes).save(place.folder, boot: "now", over: nil, files)
    for name in try files.list(place.folder) where name.stem != "record" {
      try files.unlink(place.folder.appending(name))
    }
    #expect(Baseline.load(place.folder, boot: "now", files) == nil)
  }
}

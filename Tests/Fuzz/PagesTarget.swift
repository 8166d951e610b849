@testable import OpenWOHistory

/// The payload `pages`: as it is, with steps that are packed here since no mutation makes a zlib
/// stream, or made of two contents.
enum PagesTarget {
  /// More is not read: a payload can claim any size.
  private static let mostRead: Int64 = 1 << 20

  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    switch reader.choice(3) {
    case 0: read(reader.takeAll(), over: [UInt8](repeating: 7, count: reader.word() % 4097))
    case 1:
      let base = [UInt8](repeating: 9, count: reader.word() % 8192)
      if let payload = try? packed(&reader, baseSize: base.count) { read(payload, over: base) }
    default: roundTrip(&reader)
    }
  }

  private static func read(_ payload: [UInt8], over base: [UInt8]) {
    guard let scan = try? PagesScan(MemoryContent(payload)),
      let layer = try? PagesLayer(MemoryContent(payload), newSize: scan.newSize)
    else { return }
    expect(layer.index.pages == layer.index.pages.sorted(), "pages are in order")
    expect(layer.index.pages.count == Set(layer.index.pages).count, "each page occurs once")
    // Any base of the size that the payload asks for, as far as that is in reason.
    let size = layer.index.baseSize
    guard size <= mostRead, scan.newSize <= mostRead else { return }
    let filled = base + [UInt8](repeating: 3, count: Int(size))
    let bottom = MemoryContent(Array(filled.prefix(Int(size))))
    guard
      let content = try? ContentReader(ContentHash(of: []), bottom: bottom, layers: [layer]),
      let whole = try? bytes(of: content, piece: 65_536)
    else { return }
    expect(whole.count == Int(scan.newSize), "the content is as long as it says")
    expect((try? bytes(of: content, piece: 1000)) == whole, "it is the same read in other pieces")
  }

  private static func bytes(of content: ContentReader, piece: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let buffer = PageBuffer(byteCount: piece)
    while bytes.count < Int(content.size) {
      let count = try content.read(at: Int64(bytes.count), into: buffer.bytes(piece))
      guard count > 0 else { break }
      bytes += buffer.bytes(count)
    }
    return bytes
  }

  /// A payload of one unit whose steps are the rest of the input.
  private static func packed(_ reader: inout InputReader, baseSize: Int) throws -> [UInt8] {
    let pageSize = 512 << reader.choice(3)
    let newSize = reader.word() % 16_384
    var unit: [UInt8] = []
    let count = reader.choice(6) + 1
    unit.append(number: count)
    for _ in 0..<count { unit.append(number: reader.choice(4) + 1) }
    let steps = try Deflate.pack(reader.takeAll())
    unit.append(number: steps.count)
    var payload = PagesPayload.magic
    payload.append(fixed: UInt32(pageSize))
    payload.append(fixed: Int64(baseSize))
    payload.append(fixed: Int64(newSize))
    return payload + unit + steps + [0]
  }

  private static func roundTrip(_ reader: inout InputReader) {
    let pageSize = 512 << reader.choice(2)
    let old = reader.take(reader.word() % 4096)
    let new = reader.takeAll()
    do {
      let payload = try encoded(old, new, pageSize: pageSize)
      let layer = try PagesLayer(MemoryContent(payload), newSize: Int64(new.count))
      let content = try ContentReader(
        ContentHash(of: []), bottom: MemoryContent(old), layers: [layer])
      expect(try bytes(of: content, piece: 700) == new, "what was written is read")
    } catch {
      fatalError("a payload that was written cannot be read: \(error)")
    }
  }

  private static func encoded(_ old: [UInt8], _ new: [UInt8], pageSize: Int) throws -> [UInt8] {
    let (old, new) = (MemoryContent(old), MemoryContent(new))
    let changed = try PagesPayload.changedPages(from: old, to: new, pageSize: pageSize)
    var payload: [UInt8] = []
    try PagesEncoder.encode(changed: changed, from: old, to: new, pageSize: pageSize) {
      payload += $0
    }
    return payload
  }

  static func seeds() throws -> [[UInt8]] {
    let old = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    var new = old
    new.replaceSubrange(700..<720, with: [UInt8](repeating: 1, count: 20))
    new += [UInt8](repeating: 5, count: 900)
    let head: [UInt8] = [2, 0, UInt8(old.count >> 8), UInt8(old.count & 255)]
    return try [
      [0] + encoded(old, new, pageSize: 512), [0] + encoded(new, old, pageSize: 1024),
      [0] + encoded([], new, pageSize: 512), head + old + new,
      // One page of 512 bytes: two new ones, the rest copied from the old page.
      [1, 2, 0, 0, 2, 0, 0, 0, 2, 8, 8, 0xFE, 3, 0],
    ]
  }
}

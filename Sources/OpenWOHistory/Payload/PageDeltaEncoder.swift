/// Finds what a page shares with the page that was in its place before; see ``PageDelta``.
struct PageDeltaEncoder {
  /// Shorter pieces cost more to point at than to repeat.
  private static let leastShared = 5
  /// A piece this long is taken without looking for a longer one.
  private static let goodEnough = 64
  /// How many places in the old page are tried for each place in the new one.
  private static let tries = 32
  private static let tableBits = 13

  /// The first place of each group of four bytes in the old page, and the next place of the same group.
  private var first = [Int32](repeating: -1, count: 1 << tableBits)
  private var following: [Int32] = []

  /// Appends the steps that make `page` out of `base`.
  mutating func append(
    _ page: UnsafeRawBufferPointer, basedOn base: UnsafeRawBufferPointer, to steps: inout [UInt8]
  ) {
    index(base)
    let start = steps.count
    var (place, told, lastDistance) = (0, 0, 0)
    while place < page.count {
      let (count, distance) = longest(in: base, at: place, of: page, trying: lastDistance)
      guard count >= Self.leastShared else {
        place += 1
        continue
      }
      steps.append(number: place - told)
      steps.append(contentsOf: page[told..<place])
      steps.append(number: count)
      steps.append(number: distance < 0 ? -2 * distance - 1 : 2 * distance)
      place += count
      (told, lastDistance) = (place, distance)
    }
    if told < page.count {
      steps.append(number: page.count - told)
      steps.append(contentsOf: page[told...])
    }
    if steps.count - start > page.count + 3 {
      steps.removeSubrange(start...)
      steps.append(number: page.count)
      steps.append(contentsOf: page)
    }
  }

  private mutating func index(_ base: UnsafeRawBufferPointer) {
    for slot in first.indices { first[slot] = -1 }
    guard base.count >= 4 else { return }
    if following.count < base.count {
      following = [Int32](repeating: -1, count: base.count)
    }
    for place in stride(from: base.count - 4, through: 0, by: -1) {
      let slot = Self.slot(base, place)
      following[place] = first[slot]
      first[slot] = Int32(truncatingIfNeeded: place)
    }
  }

  private func longest(
    in base: UnsafeRawBufferPointer, at place: Int, of page: UnsafeRawBufferPointer,
    trying lastDistance: Int
  ) -> (count: Int, distance: Int) {
    var best = (count: 0, distance: 0)
    for distance in [lastDistance, 0] {
      let count = Self.shared(base, place + distance, page, place)
      if count > best.count { best = (count, distance) }
    }
    guard best.count < Self.goodEnough, place + 4 <= page.count else { return best }
    var candidate = Int(first[Self.slot(page, place)])
    var tries = Self.tries
    while candidate >= 0, tries > 0 {
      let count = Self.shared(base, candidate, page, place)
      if count > best.count { best = (count, candidate - place) }
      candidate = Int(following[candidate])
      tries -= 1
    }
    return best
  }

  /// How many bytes are the same from the two places on.
  private static func shared(
    _ base: UnsafeRawBufferPointer, _ from: Int, _ page: UnsafeRawBufferPointer, _ place: Int
  ) -> Int {
    guard from >= 0, from < base.count else { return 0 }
    return sharedCount(
      UnsafeRawBufferPointer(rebasing: base[from...]),
      UnsafeRawBufferPointer(rebasing: page[place...]))
  }

  private static func slot(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
    let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    return Int((word &* 2_654_435_761) >> UInt32(32 - tableBits))
  }
}

/// How many bytes are the same at the beginning of both.
package func sharedCount(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let limit = min(left.count, right.count)
  var count = 0
  while count + 8 <= limit {
    let difference =
      left.loadUnaligned(fromByteOffset: count, as: UInt64.self)
      ^ right.loadUnaligned(fromByteOffset: count, as: UInt64.self)
    if difference != 0 { return count + UInt64(littleEndian: difference).trailingZeroBitCount / 8 }
    count += 8
  }
  while count < limit, left[count] == right[count] { count += 1 }
  return count
}

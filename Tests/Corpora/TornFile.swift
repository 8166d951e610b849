package import OpenWOTestSupport

/// How a service leaves a file when it copies one state of it over another and is not done, or reads one while it is written.
///
/// Services and file systems copy in blocks of 4 KiB and multiples of it, so what is mixed are whole pages.
package enum Tear: String, CaseIterable, Sendable {
  /// The beginning is new: a writer was cut short, or a reader overtaken.
  case prefixIsNew
  /// The end is new: a reader had begun before the commit.
  case suffixIsNew
  /// Each page is of one state or the other.
  case mixedPages
  /// Each block of several pages is of one state or the other.
  case mixedBlocks
  /// All pages but one are new: a write was lost.
  case lostPage
  /// Only some bytes of the new state have arrived over the old one, whose end is still there.
  case partInPlace
  /// Room was made for the new state, and only its beginning has arrived.
  case zerosAtEnd
  /// Some pages have not arrived.
  case zeroPages
  /// The new state, cut at a page.
  case cut
  /// The new state, cut inside a page.
  case cutInsidePage

  /// Makes a torn file of two states; nil if the dice give nothing torn.
  package func tear(
    _ old: [UInt8], _ new: [UInt8], pageSize: Int, with random: inout SeededRandom
  ) -> [UInt8]? {
    let count = new.count / pageSize
    guard count > 1, old.count >= pageSize else { return nil }
    let torn =
      switch self {
      case .prefixIsNew, .suffixIsNew:
        mix(old, new, pageSize, newBefore: random.number(1...count - 1))
      case .mixedPages, .mixedBlocks: mixed(old, new, pageSize, &random)
      case .lostPage:
        replacing(new, page: random.number(0...count - 1), by: old, pageSize)
      case .partInPlace: inPlace(old, new, random.number(1...count - 1) * pageSize)
      case .zerosAtEnd: zeros(new, from: random.number(1...count - 1) * pageSize)
      case .zeroPages:
        replacing(new, page: random.number(0...count - 1), by: [], pageSize)
      case .cut: Array(new[..<(random.number(1...count - 1) * pageSize)])
      case .cutInsidePage: Array(new[..<random.number(1...new.count - 1)])
      }
    return torn == old || torn == new ? nil : torn
  }

  private func page(_ state: [UInt8], _ number: Int, _ size: Int) -> [UInt8] {
    let bytes = state.dropFirst(number * size).prefix(size)
    return bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }

  private func mix(
    _ old: [UInt8], _ new: [UInt8], _ size: Int, newBefore place: Int
  ) -> [UInt8] {
    (0..<new.count / size).flatMap {
      page(($0 < place) == (self == .prefixIsNew) ? new : old, $0, size)
    }
  }

  private func mixed(
    _ old: [UInt8], _ new: [UInt8], _ size: Int, _ random: inout SeededRandom
  ) -> [UInt8] {
    let (part, block) = (random.number(1...9), self == .mixedBlocks ? 8 : 1)
    var isNew: [Int: Bool] = [:]
    return (0..<new.count / size).flatMap { number in
      let takesNew = isNew[number / block] ?? random.chance(Double(part) / 10)
      isNew[number / block] = takesNew
      return page(takesNew ? new : old, number, size)
    }
  }

  private func replacing(
    _ state: [UInt8], page number: Int, by other: [UInt8], _ size: Int
  ) -> [UInt8] {
    var state = state
    state.replaceSubrange(number * size..<(number + 1) * size, with: page(other, number, size))
    return state
  }

  private func inPlace(_ old: [UInt8], _ new: [UInt8], _ count: Int) -> [UInt8] {
    Array(new[..<count] + old.dropFirst(count))
  }

  private func zeros(_ state: [UInt8], from place: Int) -> [UInt8] {
    Array(state[..<place]) + [UInt8](repeating: 0, count: state.count - place)
  }
}

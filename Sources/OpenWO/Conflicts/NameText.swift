/// A file name as numbers, one for each character, so that comparing names is comparing numbers.
///
/// Names in UTF-8 are compared by canonical equivalence, because disks and services change between
/// composed and decomposed letters; names that are not UTF-8 are compared byte by byte. The file
/// itself keeps its bytes.
struct NameText: Sendable, Hashable {
  /// Equal numbers are equal characters.
  let codes: [UInt32]
  /// The same without upper and lower case.
  let folded: [UInt32]

  init(codes: [UInt32], folded: [UInt32]) {
    self.codes = codes
    self.folded = folded
  }

  var count: Int { codes.count }

  static func + (left: NameText, right: NameText) -> NameText {
    NameText(codes: left.codes + right.codes, folded: left.folded + right.folded)
  }

  func hasPrefix(_ other: NameText) -> Bool { codes.starts(with: other.codes) }

  func hasSuffix(_ other: NameText) -> Bool {
    codes.count >= other.codes.count && codes.suffix(other.codes.count).elementsEqual(other.codes)
  }

  /// Whether it contains another name.
  func contains(_ other: NameText) -> Bool {
    guard codes.count >= other.codes.count else { return false }
    return (0...codes.count - other.codes.count).contains {
      codes[$0...].starts(with: other.codes)
    }
  }

  func dropping(first: Int = 0, last: Int = 0) -> NameText {
    NameText(
      codes: Array(codes.dropFirst(first).dropLast(last)),
      folded: Array(folded.dropFirst(first).dropLast(last)))
  }
}

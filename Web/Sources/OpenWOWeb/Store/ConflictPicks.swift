import OpenWOApp
import OpenWOShell

/// The sides that a person has picked for conflicts, by their place in the list of a dry run.
///
/// An address has them as `ours=0.3&theirs=2`; the head and a mark of the list keep them from being taken for those of another merge.
struct ConflictPicks: Sendable, Hashable {
  private(set) var sides: [Int: MergeResult.Side] = [:]
  /// The version that was live when they were picked.
  private var head: String?
  /// The mark of the list that they are about.
  private var mark: String?

  init(_ fields: Fields) {
    (head, mark) = (fields["head"], fields["mark"])
    for side in [MergeResult.Side.ours, .theirs] {
      for word in (fields[side.rawValue] ?? "").split(separator: ".") {
        if let place = Int(word) { sides[place] = side }
      }
    }
  }

  var isEmpty: Bool { sides.isEmpty }

  /// The side that a conflict takes.
  func side(_ place: Int, _ conflict: ConflictChoice) -> MergeResult.Side {
    sides[place] ?? conflict.side
  }

  /// What the picks come to; nil if nothing was picked.
  ///
  /// - Throws: `headMoved` if they are about another version or other conflicts than these.
  func choices(of conflicts: [ConflictChoice], head: String) throws -> [ConflictChoice]? {
    guard !isEmpty else { return nil }
    guard self.head == head, mark == Self.mark(of: conflicts) else {
      throw StoreError(
        .headMoved, "the conflicts are other ones than those that were shown",
        hint: "see them: openwo conflicts")
    }
    return conflicts.enumerated().map { place, conflict in
      var choice = conflict
      choice.side = side(place, conflict)
      return choice
    }
  }

  /// A mark that other conflicts do not have; FNV-1a.
  static func mark(of conflicts: [ConflictChoice]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for conflict in conflicts {
      let text = "\(conflict.table)\u{0}\(conflict.key)\u{0}\(conflict.column ?? "\u{0}")\u{0}"
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(hash, radix: 16)
  }

  /// The picks as an address has them.
  var fields: [(String, String?)] {
    guard !isEmpty else { return [] }
    func places(_ side: MergeResult.Side) -> String? {
      let found = sides.filter { $0.value == side }.map(\.key).sorted()
      return found.isEmpty ? nil : found.map { "\($0)" }.joined(separator: ".")
    }
    return [
      ("ours", places(.ours)), ("theirs", places(.theirs)), ("head", head), ("mark", mark),
    ]
  }
}

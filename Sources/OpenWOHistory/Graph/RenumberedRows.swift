/// Which rows of its parents have another number in a merge: the field `renumbered` of its header.
///
/// A merge that lists two parents with no rows says that no row has another number; one without the field says nothing.
package struct RenumberedRows: Sendable, Hashable {
  /// A row of a parent that has another number in the merge.
  package struct Move: Sendable, Hashable {
    /// Its number in the parent.
    package var from: Int64
    /// Its number in the merge; nil if it is gone and another row has its old number.
    package var to: Int64?
    package var origin: Origin

    package init(from: Int64, to: Int64?, _ origin: Origin = .alone) {
      (self.from, self.to, self.origin) = (from, to, origin)
    }
  }

  /// The origin of the row with the new number.
  package enum Origin: Int64, Sendable {
    /// From this parent; the number was nobody's before.
    case alone = 0
    /// From both parents: the other one's row with the new number is the same row.
    case joined = 1
    /// From the other parent alone: this one had deleted the row, and nobody has its number there.
    case kept = 2
    /// As `kept`, but this one had given the row's number to another row, which has it there.
    case returned = 3
  }

  /// By parent, and by the folded name of the table, sorted by the old number.
  package var moves: [VersionID: [String: [Move]]]

  /// The most rows that a record may name.
  package static let rowLimit = 1_000_000

  package init(_ moves: [VersionID: [String: [Move]]]) {
    self.moves = moves.mapValues { tables in
      tables.filter { !$1.isEmpty }.mapValues { moves in
        moves.sorted { ($0.from, $0.origin.rawValue) < ($1.from, $1.origin.rawValue) }
      }
    }
  }

  private static let field = "renumbered"

  /// Whether a header has room for it.
  package var fits: Bool { fits(beside: nil) }

  /// Whether a header has room for it and for the stores that the merge joins.
  package func fits(joining stores: [String]?) -> Bool {
    fits(beside: stores.map(Version.joins))
  }

  /// Whether a header has room for it and for another member.
  func fits(beside other: JSONMember?) -> Bool {
    guard let member else { return false }
    let object = JSONValue.object(unsorted: [member, other].compactMap(\.self))
    return object.map { $0.canonicalForm.count <= Version.Limit.unknownBytes } ?? false
  }

  /// The field as a header has it; nil if it has more rows than any header.
  var member: JSONMember? {
    let count = moves.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
    guard count <= Self.rowLimit else { return nil }
    var valueCount = 2
    let parents = moves.map { id, tables in
      JSONMember(
        id.description,
        JSONValue.object(
          unsorted: tables.map { name, moves in
            let ranges = Self.ranges(moves)
            valueCount += 2 + 5 * ranges.count
            return JSONMember(Self.stored(name), .array(ranges))
          }) ?? .null)
    }
    guard valueCount < JSONParser.valueLimit / 2, let object = JSONValue.object(unsorted: parents)
    else { return nil }
    return JSONMember(Self.field, object)
  }

  /// Rows that follow one another in both the parent and the merge, together: old number, new number, how many, and the origin.
  private static func ranges(_ moves: [Move]) -> [JSONValue] {
    var ranges: [(first: Move, count: Int64)] = []
    for move in moves {
      if let last = ranges.last, last.first.origin == move.origin,
        move.from == last.first.from &+ last.count,
        move.to == last.first.to.map({ $0 &+ last.count })
      {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append((move, 1))
      }
    }
    return ranges.map { first, count in
      var values: [JSONValue] = [
        .integer(first.from), first.to.map { .integer($0) } ?? .null, .integer(count),
      ]
      if first.origin != .alone { values.append(.integer(first.origin.rawValue)) }
      return .array(values)
    }
  }

  /// Reads the field; nil if there is none, or none that can be understood.
  init?(header: [UInt8]) {
    guard case .object(let members)? = try? JSONParser.parse(header),
      case .object(let parents)? = members.first(where: { $0.name == Self.field })?.value
    else { return nil }
    var moves: [VersionID: [String: [Move]]] = [:]
    var left = Int64(Self.rowLimit)
    for parent in parents {
      guard let id = VersionID(parent.name), case .object(let tables) = parent.value else {
        return nil
      }
      moves[id] = [:]
      for table in tables {
        guard case .array(let ranges) = table.value else { return nil }
        for range in ranges {
          guard let rows = Self.rows(range, atMost: left) else { return nil }
          left -= Int64(rows.count)
          moves[id]?[Self.folded(table.name), default: []] += rows
        }
      }
    }
    self.init(moves)
  }

  /// The last 128 scalars, which stand for the bytes from 0x80 in a folded name: names in two Unicode forms are two.
  private static let standIns: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

  /// A folded name as the header has it: in UTF-8 like any other.
  private static func stored(_ name: String) -> String {
    let bytes = name.unicodeScalars.flatMap { scalar in
      standIns ~= scalar.value
        ? [UInt8(scalar.value - standIns.lowerBound) + 0x80] : Array(String(scalar).utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The folded form of a name in a header.
  private static func folded(_ name: String) -> String {
    var form = String.UnicodeScalarView()
    for byte in name.utf8 {
      let value = byte < 0x80 ? UInt32(byte) : standIns.lowerBound - 0x80 + UInt32(byte)
      if let scalar = Unicode.Scalar(value) { form.append(scalar) }
    }
    return String(form)
  }

  private static func rows(_ range: JSONValue, atMost limit: Int64) -> [Move]? {
    guard case .array(let values) = range, 3...4 ~= values.count,
      case .integer(let from) = values[0],
      case .integer(let count) = values[2], 1...max(1, limit) ~= count, limit > 0,
      !from.addingReportingOverflow(count).overflow
    else { return nil }
    var origin = Origin.alone
    if values.count == 4 {
      guard case .integer(let mark) = values[3], let known = Origin(rawValue: mark) else {
        return nil
      }
      origin = known
    }
    switch values[1] {
    case .null: return (0..<count).map { Move(from: from + $0, to: nil, origin) }
    case .integer(let to) where !to.addingReportingOverflow(count).overflow:
      return (0..<count).map { Move(from: from + $0, to: to + $0, origin) }
    default: return nil
    }
  }
}

extension Version {
  /// The rows of the parents that have another number here; nil if that was not recorded.
  package var renumbered: RenumberedRows? {
    reason == .merge ? fields.unknown.flatMap(RenumberedRows.init(header:)) : nil
  }
}

import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// Under which numbers rows were put in, whatever numbers merges gave them since.
extension RowMerge {
  /// The number under which each of some rows of a side was put in, as far as its cells have been the same since.
  func births(
    of numbers: Set<Int64>, in name: String, on side: MergeInput
  ) throws -> [Int64: Int64] {
    var tracing = BirthTracing(merge: self, table: name)
    defer { tracing.close() }
    return try numbers.sorted().reduce(into: [:]) { result, number in
      result[number] = try tracing.birth(of: number, in: side)
    }
  }
}

/// Follows rows back through the contents that they come from.
private struct BirthTracing {
  let merge: RowMerge
  let table: String
  private var opened: [VersionID: Connection] = [:]
  /// More contents than two sides ever differ by before they are merged.
  private static let mostOpened = 64

  init(merge: RowMerge, table: String) {
    (self.merge, self.table) = (merge, table)
  }

  func close() {
    for connection in opened.values { connection.close() }
  }

  /// Nil if it is unknown.
  mutating func birth(of number: Int64, in side: MergeInput) throws -> Int64? {
    if let origin = side.origin {
      for way in MergeSide.allCases {
        let moves = origin.moves[way][table] ?? []
        guard let before = RowMap.number(before: number, moves),
          let row = try cells(of: number, in: side),
          try row == cells(of: before, in: origin.sides[way])
        else { continue }
        return try birth(of: before, in: origin.sides[way])
      }
      return nil
    }
    return try birth(of: number, in: side.versions[0])
  }

  private mutating func birth(of number: Int64, in version: Version) throws -> Int64? {
    var (place, version) = (number, version)
    guard let row = try cells(of: place, in: version) else { return nil }
    while true {
      guard let earlier = merge.lineage.earlier(place, in: table, of: version) else { return nil }
      var next: (version: Version, number: Int64)?
      for candidate in earlier {
        guard merge.contents.holds(candidate.version), opened.count < Self.mostOpened else {
          return nil
        }
        guard let before = try cells(of: candidate.number, in: candidate.version) else { continue }
        guard before == row else { return nil }
        next = candidate
        break
      }
      guard let next else { return place }
      (place, version) = (next.number, next.version)
    }
  }

  private mutating func cells(of number: Int64, in version: Version) throws -> [CellValue]? {
    let connection = try opened[version.id] ?? merge.contents.open(version)
    opened[version.id] = connection
    return try connection.cells(of: number, in: table)
  }

  private mutating func cells(of number: Int64, in input: MergeInput) throws -> [CellValue]? {
    guard input.file != nil else { return try cells(of: number, in: input.versions[0]) }
    let connection = try merge.open(input)
    defer { connection.close() }
    return try connection.cells(of: number, in: table)
  }
}

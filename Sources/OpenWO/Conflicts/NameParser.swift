/// Reads a name as a database's name with services' marks in it.
///
/// A mark comes before one of the last two extensions or at the end. Copies of copies have several
/// marks, one after the other. The first mark is the oldest and decides what the name is.
struct NameParser {
  /// How many marks are taken off a name.
  static let mostMarks = 5

  /// The marks of a name.
  struct Marks {
    var first: ConflictPattern
    var fit: NameMatcher.Fit
    /// The first row in the table is the surest.
    var row: Int
    var count: Int
    /// Some mark is a person's or a tool's own copy.
    var backup: SyncService?

    /// Nothing longer can be surer.
    fileprivate var isCertain: Bool { rank.0 == 0 }

    /// A lower rank is more certain.
    fileprivate var rank: (Int, Int, Int) {
      let doubt =
        switch (backup, first.role) {
        case (nil, .conflict(.strong)): 0
        case (nil, _): 2
        default: 1
        }
      return (doubt, count, row)
    }
  }

  private struct Place: Hashable, Comparable {
    /// In the database's name.
    var stem: Int
    /// In the name.
    var at: Int

    static func < (a: Place, b: Place) -> Bool { (a.stem, a.at) < (b.stem, b.at) }
  }

  private let name: NameText
  private var matcher: NameMatcher

  init(_ name: NameText) {
    self.name = name
    matcher = NameMatcher(name)
  }

  /// The surest way to read the name as one of the database with at least one mark; nil if there is
  /// none.
  mutating func marks(of database: NameText) -> Marks? {
    let points = Self.insertionPoints(in: database)
    guard name.count > database.count else { return nil }
    var frontier: [(place: Place, marks: Marks?)] =
      points
      .filter { name.codes.starts(with: database.codes[..<$0]) }
      .map { (Place(stem: $0, at: $0), nil) }
    let goal = Place(stem: database.count, at: name.count)
    var best: Marks?
    for _ in 0..<Self.mostMarks where !frontier.isEmpty {
      let next = step(frontier, database, points)
      if let found = next[goal], best.map({ found.rank < $0.rank }) ?? true { best = found }
      if best?.isCertain == true { break }
      frontier = next.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    return best
  }

  /// The places in a database's name at which a mark may be inserted.
  private static func insertionPoints(in database: NameText) -> [Int] {
    database.codes.indices.filter { database.codes[$0] == UInt32(ascii: ".") }.suffix(2) + [
      database.count
    ]
  }

  /// The beginning that every copy's name shares.
  static func commonBeginning(of database: NameText) -> ArraySlice<UInt32> {
    database.codes[..<(insertionPoints(in: database).first ?? 0)]
  }

  /// All places that one more mark leads to.
  private mutating func step(
    _ frontier: [(place: Place, marks: Marks?)], _ database: NameText, _ points: [Int]
  ) -> [Place: Marks] {
    var next: [Place: Marks] = [:]
    let usual = points.suffix(2).first
    for (place, marks) in frontier where place.at < name.count {
      for row in ConflictTable.shared.rows(at: place.at, of: name)
      where place.stem == usual || row.pattern.standsAnywhere {
        for fit in fits(row, at: place.at) {
          var longer = marks ?? Marks(first: row.pattern, fit: fit, row: row.place, count: 0)
          longer.count += 1
          if case .backup = row.pattern.role {
            longer.backup = longer.backup ?? row.pattern.services.first
          }
          enter(Place(stem: place.stem, at: fit.end), longer, database, points, &next)
        }
      }
    }
    return next
  }

  private mutating func fits(_ row: ConflictTable.Row, at start: Int) -> [NameMatcher.Fit] {
    var found: [NameMatcher.Fit] = []
    for template in row.templates
    where template.mayBegin(
      with: name.codes[start], folded: name.folded[start])
    {
      found += matcher.fits(template, at: start)
    }
    return found
  }

  /// Enters a place, and those that the database's own characters lead on to.
  private func enter(
    _ place: Place, _ marks: Marks, _ database: NameText, _ points: [Int],
    _ places: inout [Place: Marks]
  ) {
    for point in points where point >= place.stem {
      let literal = database.codes[place.stem..<point]
      guard name.codes[place.at...].starts(with: literal) else { return }
      let reached = Place(stem: point, at: place.at + literal.count)
      if let known = places[reached], known.rank <= marks.rank { continue }
      places[reached] = marks
    }
  }
}

/// The writes for the plain rows of a table, worked out one at a time.
struct PlainWrites {
  private var outcomes: PlainOutcomes?
  private var head: RowOperation?
  private let planner: OperationPlanner?

  init(of table: TableMerge, _ planner: OperationPlanner?, _ clock: MergeClock) throws {
    outcomes = try PlainOutcomes(of: table, clock)
    self.planner = planner
    head = try read()
  }

  /// The next write; nil if none is left up to a place, or none at all.
  mutating func next(upTo place: RowPlace? = nil) throws -> RowOperation? {
    guard let write = head else { return nil }
    if let place {
      guard let own = write.place, own.rank(against: place) <= 0 else { return nil }
    }
    head = try read()
    return write
  }

  private mutating func read() throws -> RowOperation? {
    while let row = try outcomes?.next() {
      if let operation = planner?.operation(row) { return operation }
    }
    return nil
  }
}

/// The writes for the plain rows of a table, worked out one at a time.
struct PlainWrites {
  private var reader: PlainRows.Reader?
  private var head: (number: Int64, changes: Sides<SideChange?>)?
  private let merger: RowMerger
  private let planner: OperationPlanner?

  init(of table: TableMerge, _ planner: OperationPlanner?, _ clock: MergeClock) throws {
    merger = RowMerger(table: table, clock: clock)
    self.planner = planner
    reader = try table.plain?.reader()
    head = try reader?.next()
  }

  /// The next write, and the changes that it comes from; nil if none is left up to a number.
  mutating func next(upTo number: Int64) throws -> (RowOperation, Sides<SideChange?>)? {
    while let (place, changes) = head, place <= number {
      head = try reader?.next()
      if let operation = planner?.operation(merger.merge(changes)) { return (operation, changes) }
    }
    return nil
  }
}

/// The options of a merge.
package struct MergeOptions {
  /// When each side was written; the later one decides if no column of the row does.
  package var times: Sides<Int64>
  /// The same in milliseconds since 1970: what the clock says where a default asks for it.
  package var moments: Sides<Int64>
  /// The side that comes first in an order that all devices share.
  ///
  /// Its rows keep their keys, and it wins where times are equal. Only with the same answer on all
  /// devices do they get the same rows.
  package var first: MergeSide
  /// Rules by table name.
  package var rules: [String: TableRule] = [:]
  /// The rule of tables that are not named.
  package var otherwise = TableRule.cells
  /// A person's choices for conflicts, which override every rule and clock.
  package var choices: [RowChoice] = []
  /// The places of the base's rows on each side, by folded table name and number, if their number
  /// changed; nil if a row is gone and another row has its number.
  package var moved = Sides<[String: [Int64: Int64?]]>(ours: [:], theirs: [:])
  /// The last numbers that rows of the base had on each side before they were gone and another row was given their number.
  package var taken = Sides<[String: [Int64: Int64]]>(ours: [:], theirs: [:])
  /// The same as `moved` of one side and table, after these rows of the base were looked for in all contents between the base and the side: one that
  /// was gone there is another row now.
  package var followed: ((MergeSide, String, Set<Int64>) throws -> [Int64: Int64?])?
  /// The numbers under which these rows of a side's table were put in, as far as it is known.
  package var births: (MergeSide, String, Set<Int64>) throws -> [Int64: Int64] = { _, _, _ in [:] }
  /// Whether rows that only one side deleted stay if only their rowid identifies them.
  ///
  /// This is for a merge of merge bases, as the sides that follow from it may each have kept such a
  /// row.
  package var keepsDeleted = false
  /// Numbers of rows of the base, by folded table name, that are there for that reason alone: a side that has one of them put it back.
  package var doubtful: [String: Set<Int64>] = [:]
  /// What was said about tables that their definitions do not say.
  package var declared: [Declaration] = []
  /// Where changed rows go that are too many for memory; nil: they stay in memory.
  package var spill: SpillFile?
  /// With more changed rows of a table and side than this, they are put aside.
  package var spillLimit = 10_000
  /// So many rows of a table are told one by one in each list of the report.
  package var listed = mostListed
  /// So many conflicts of a table are told if nobody asks for all.
  package static let mostListed = 10_000
  /// Whether two databases without a merge base are merged by key, as if both began empty.
  package var allowsEmptyBase = false

  /// Options for two sides written at these times (in any unit, the greater the later).
  package init(times: Sides<Int64>, first: MergeSide) {
    self.times = times
    moments = times
    self.first = first
  }
}

/// The schema of the result: which side's database is the ground to build on, and what the other side
/// adds to it.
struct MergeSchema {
  /// The side whose database is copied and then changed.
  let ground: MergeSide
  /// The parts to drop from the target, as the other side dropped or changed them.
  private(set) var dropped: [SchemaEntry] = []
  /// The parts to create in the target, as the other side created or changed them.
  private(set) var created: [SchemaEntry] = []
  /// Tables of the ground that get another definition, as the other side changed it, or both did.
  private(set) var remade: [SchemaEntry] = []
  /// Settings that the other side changed.
  private(set) var settings: [String: Int64] = [:]

  private typealias Changes = [String: (old: SchemaEntry?, new: SchemaEntry?)]

  /// Throws a refusal if both sides changed the schema in ways that cannot be merged.
  init(
    base: DatabaseSchema?, sides: Sides<DatabaseSchema>, first: MergeSide
  ) throws {
    let before = Self.ancestor(base, sides)
    let changes = Sides(
      ours: Self.changes(before, Self.entries(sides.ours)),
      theirs: Self.changes(before, Self.entries(sides.theirs)))
    ground = Self.ground(changes, first)
    for (name, change) in changes[ground.other].sorted(by: { $0.key < $1.key }) {
      if let twin = changes[ground][name] {
        if !Self.isSame(twin.new, change.new) { try merge(twin.new, change.new, since: change.old) }
      } else {
        try take(change)
      }
    }
    for (name, value) in sides[ground.other].settings {
      let mine = sides[ground].settings[name] ?? 0
      let old = base?.settings[name] ?? 0
      if value != old, mine == old || value > mine { settings[name] = value }
    }
  }

  /// Whether two definitions say the same, if only with columns in another order.
  private static func isSame(_ one: SchemaEntry?, _ other: SchemaEntry?) -> Bool {
    if one?.definition == other?.definition { return true }
    guard let mine = definition(of: one), let others = definition(of: other) else { return false }
    func words(_ definition: TableDefinition) -> [[String]] {
      definition.parts.map(\.tokens).sorted { $0.lexicographicallyPrecedes($1) }
        + [definition.tail.tokens]
    }
    return words(mine) == words(others)
  }

  /// The parts of a table's definition; nil for anything else.
  private static func definition(of entry: SchemaEntry?) -> TableDefinition? {
    guard let entry, entry.type == "table", entry.module == nil else { return nil }
    return entry.sql.flatMap { TableDefinition($0) }
  }

  /// Brings together what both sides made of one thing in different ways.
  private mutating func merge(
    _ mine: SchemaEntry?, _ others: SchemaEntry?, since old: SchemaEntry?
  ) throws {
    guard let mine, let others, let own = Self.definition(of: mine),
      let other = Self.definition(of: others)
    else {
      let one = mine ?? others ?? old
      throw MergeRefusal(
        one?.table ?? "", "both sides changed the schema of \(one?.name ?? "a table")")
    }
    let merge = DefinitionMerge(base: Self.definition(of: old), ground: own, other: other)
    let result = try merge.merged(mine.name)
    if result.hasParts(of: own) { return }
    remade.append(mine.defined(by: result.hasParts(of: other) ? others.sql : result.sql))
  }

  private mutating func take(_ change: (old: SchemaEntry?, new: SchemaEntry?)) throws {
    let isTable = (change.new ?? change.old)?.type == "table"
    if isTable, let new = change.new, new.module != nil {
      throw MergeRefusal(new.name, "a virtual table that one side made cannot be carried over")
    }
    if isTable, change.old != nil, let new = change.new {
      remade.append(new)
      return
    }
    if let old = change.old { dropped.append(old) }
    if let new = change.new { created.append(new) }
  }

  private static func ground(_ changes: Sides<Changes>, _ first: MergeSide) -> MergeSide {
    func remakesTables(_ side: MergeSide) -> Bool {
      changes[side].contains { name, change in
        guard let old = change.old, old.type == "table", change.new != nil else { return false }
        return changes[side.other][name]?.new?.definition != change.new?.definition
      }
    }
    func makesModules(_ side: MergeSide) -> Bool {
      changes[side].contains { name, change in
        change.new?.module != nil && changes[side.other][name] == nil
      }
    }
    for test in [remakesTables, makesModules] where test(first.other) && !test(first) {
      return first.other
    }
    return first
  }

  private static func entries(_ schema: DatabaseSchema) -> [String: SchemaEntry] {
    var entries: [String: SchemaEntry] = [:]
    for entry in schema.entries where entry.sql != nil {
      let name = SQLName.folded(entry.name)
      if name.hasPrefix("sqlite_") || schema.shadowTables[name] != nil { continue }
      entries[entry.type + " " + name] = entry
    }
    return entries
  }

  /// The base's schema; without a base, what both sides have in common.
  private static func ancestor(
    _ base: DatabaseSchema?, _ sides: Sides<DatabaseSchema>
  ) -> [String: SchemaEntry] {
    if let base { return entries(base) }
    let theirs = entries(sides.theirs)
    return entries(sides.ours).filter { theirs[$0.key]?.definition == $0.value.definition }
  }

  private static func changes(
    _ before: [String: SchemaEntry], _ after: [String: SchemaEntry]
  ) -> Changes {
    var changes: Changes = [:]
    for name in Set(before.keys).union(after.keys)
    where before[name]?.definition != after[name]?.definition {
      changes[name] = (before[name], after[name])
    }
    return changes
  }
}

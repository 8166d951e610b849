/// Brings together what two sides made of one table's definition.
///
/// Columns are told apart by name, constraints by their words. What only one side added, changed or removed is taken from it.
struct DefinitionMerge {
  let base: TableDefinition?
  let ground: TableDefinition
  let other: TableDefinition

  /// The definition of both; a refusal names what they made differently.
  func merged(_ table: String) throws -> TableDefinition {
    var result = ground
    result.parts =
      try columns(table)
      + constraints(ground).filter { isKept($0, in: other) }
      + constraints(other).filter { part in
        !constraints(ground).contains { $0.tokens == part.tokens } && isKept(part, in: ground)
      }
    let tails = [ground.tail, other.tail]
    if ground.tail.tokens != other.tail.tokens {
      guard let old = base?.tail.tokens, let new = tails.first(where: { $0.tokens != old }),
        tails.contains(where: { $0.tokens == old })
      else { throw MergeRefusal(table, "both sides changed the options of the table") }
      result.tail = new
    }
    return result
  }

  private func columns(_ table: String) throws -> [TableDefinition.Part] {
    var names: [String] = []
    for part in ground.parts + other.parts {
      if let name = part.column, !names.contains(name) { names.append(name) }
    }
    return try names.compactMap { try column($0, table) }
  }

  private func column(_ name: String, _ table: String) throws -> TableDefinition.Part? {
    let (old, mine, others) = (base?.column(name), ground.column(name), other.column(name))
    if mine?.tokens == others?.tokens || old?.tokens == others?.tokens { return mine }
    if old?.tokens == mine?.tokens { return others }
    let texts = [mine, others].compactMap { $0 }.map(\.text).sorted()
    let what = texts.count == 1 ? texts[0] + " and removed" : texts.joined(separator: " and as ")
    throw MergeRefusal(
      table,
      "both sides \(old == nil ? "added" : "changed") the column \(name) in different ways: as \(what)"
    )
  }

  private func constraints(_ definition: TableDefinition) -> [TableDefinition.Part] {
    definition.parts.filter { $0.column == nil }
  }

  /// Whether a constraint of one side is in the result: the other one has it too, or never had it.
  private func isKept(_ part: TableDefinition.Part, in definition: TableDefinition) -> Bool {
    func has(_ definition: TableDefinition) -> Bool {
      constraints(definition).contains { $0.tokens == part.tokens }
    }
    return has(definition) || !(base.map(has) ?? false)
  }
}

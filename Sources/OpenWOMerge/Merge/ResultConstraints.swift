import OpenWOSQLite

/// The constraints that a table has in the result: those of both sides, but for what one of them took out.
struct ResultConstraints {
  let base: Connection?
  let sides: Sides<Connection>
  let ground: MergeSide
  /// The shape of the table in the result.
  let table: TableShape

  /// Its unique indexes over plain columns.
  func uniques() throws -> [UniqueShape] { try joined { try $0.uniques() } }

  /// Its foreign keys.
  func foreignKeys() throws -> [ForeignKeyShape] { try joined { try $0.foreignKeys() } }

  private func joined<Constraint: Hashable>(
    _ read: (ConstraintReader) throws -> [Constraint]
  ) throws -> [Constraint] {
    func all(_ connection: Connection) throws -> [Constraint] {
      try read(ConstraintReader(connection: connection, table: table))
    }
    let (mine, others) = (try all(sides[ground]), try all(sides[ground.other]))
    let before = Set(try base.map(all) ?? [])
    let (own, other) = (Set(mine), Set(others))
    return mine.filter { other.contains($0) || !before.contains($0) }
      + others.filter { !own.contains($0) && !before.contains($0) }
  }
}

@testable import OpenWO

/// The recogniser of names: a database's name, another store's, and the name of something beside them.
enum NamesTarget {
  static func run(_ input: [UInt8]) {
    var reader = InputReader(input)
    let database = reader.take(reader.choice(64))
    let other = reader.take(reader.choice(64))
    let name = reader.takeAll()
    let alone = NameRecogniser(database: database)
    let together = NameRecogniser(database: database, others: [other])
    let (ours, shared) = (alone.sibling(name), together.sibling(name))
    expect(alone.sibling(name) == ours, "a name means the same twice")
    expect(
      (ours == .database) == (name == database && !name.isEmpty && name.count <= 1024),
      "only the database has its name")
    expect(shared == ours || shared == .otherStore, "another store only takes names away")
    expect(ours != .otherStore, "without other stores nothing is theirs")
    if case .conflictedCopy(let copy) = ours {
      expect(copy.layers > 0 && !copy.services.isEmpty, "a copy has a mark")
      expect(copy.device.map { !$0.isEmpty } ?? true, "a device in a name has letters")
      expect(name != other || shared == .otherStore || other == database, "a store is no copy")
    }
  }

  static func seeds() -> [[UInt8]] {
    let names = [
      "openwo.sqlite", "openwo.sync-conflict-20261121-074308-ABCDEFG.sqlite",
      "openwo (Ann's conflicted copy 2026-11-21).sqlite", "openwo 2.sqlite", "openwo-mac.sqlite",
      "openwo (1).sqlite", "openwo.sqlite-journal", "openwo.sqlite.openwo", ".openwo.sqlite.icloud",
      "openwo (conflict 2026-11-21-07-43-08).sqlite", "openwo_conf(2026-11-21).sqlite",
      "openwo (In Konflikt stehende Kopie von Ann 2026-11-21).sqlite", "~openwo.sqlite.tmp",
      "openwo.sqlite.sb-1a2b3c4d-XyZ123", "openwo-DESKTOP-AB12CD3.sqlite", "openwo.sqlite.orig",
      "openwo.sync-conflict-20261121-074308-ABCDEFG (1).sqlite", "openwo 2 (Kopie).sqlite",
    ]
    let database = Array("openwo.sqlite".utf8)
    let head = [UInt8(database.count)] + database
    let other = Array("openwo 2.sqlite".utf8)
    let otherHead: [UInt8] = head + [UInt8(other.count)] + other
    return names.flatMap { name -> [[UInt8]] in
      [head + [0] + Array(name.utf8), otherHead + Array(name.utf8)]
    }
  }
}

import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Two devices that each make a store before the service has brought anything, and folders that are connected then.
struct BeganApartTests {
  private static let seeds = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
    CREATE TABLE exercise(id TEXT PRIMARY KEY, name TEXT);
    INSERT INTO exercise VALUES('s1','squat'),('s2','bench'),('s3','row');
    """

  enum Part: CaseIterable { case manifest, versions, live }

  static let orders: [[Part]] = [
    [.manifest, .versions, .live], [.manifest, .live, .versions], [.versions, .manifest, .live],
    [.versions, .live, .manifest], [.live, .manifest, .versions], [.live, .versions, .manifest],
  ]

  @Test(arguments: orders, [SettlePolicy.merge, .lastWriterWins])
  func `two stores become one in any order of delivery`(
    order: [Part], policy: SettlePolicy
  ) async throws {
    let winner = policy == .merge ? "mac" : "phone"
    let pair = try Pair(policy: policy, seeds: Self.seeds)
    try await pair.write("phone", "p1", "p2")
    try await pair.write("mac", "m1")
    for part in order {
      try pair.connect(part, winner: winner)
      for device in ["phone", "mac"] { try await pair.look(device) }
    }
    try await pair.settle()
    try await pair.expectOne(["p1", "p2", "m1"], "\(order)")
  }

  @Test(arguments: [SettlePolicy.merge, .lastWriterWins])
  func `seeds that one device deleted or changed stay so`(policy: SettlePolicy) async throws {
    let pair = try Pair(policy: policy, seeds: Self.seeds)
    try await pair.run("phone", "DELETE FROM exercise WHERE id = 's1'")
    try await pair.run("mac", "UPDATE exercise SET name = 'BENCH' WHERE id = 's2'")
    for part in [Part.versions, .manifest, .live] { try pair.connect(part, winner: "mac") }
    try await pair.settle()
    for device in ["phone", "mac"] {
      let found = try await pair.exercises(device)
      #expect(found == ["s2 BENCH", "s3 row"], "\(device)")
    }
  }

  @Test func `writes of a device during partial arrivals are kept`() async throws {
    for order in Self.orders {
      let pair = try Pair(policy: .merge, seeds: Self.seeds)
      try await pair.write("phone", "p1")
      try await pair.write("mac", "m1")
      var rows = ["p1", "m1"]
      for (number, part) in order.enumerated() {
        try pair.connect(part, winner: "mac")
        for device in ["phone", "mac"] {
          try await pair.write(device, "\(device)\(number)")
          rows.append("\(device)\(number)")
        }
      }
      try await pair.settle()
      try await pair.expectOne(rows, "\(order)")
    }
  }

  @Test func `a device that joins a shared store late adds its rows`() async throws {
    let pair = try Pair(policy: .lastWriterWins, seeds: Self.seeds)
    try await pair.write("phone", "p1")
    for part in Part.allCases { try pair.connect(part, winner: "phone") }
    try await pair.settle()
    try pair.begin("tablet", Self.seeds)
    try await pair.write("tablet", "t1", "t2")
    try await pair.write("mac", "m1")
    try await pair.settle()
    for part in Part.allCases { try pair.connect(part, "phone", "tablet", winner: "tablet") }
    try await pair.settle()
    try await pair.expectOne(["p1", "m1", "t1", "t2"], "late")
  }

  @Test(arguments: [SettlePolicy.merge, .lastWriterWins])
  func `rows that lost before the other store was known are joined with it`(
    policy: SettlePolicy
  ) async throws {
    let pair = try Pair(policy: policy, seeds: Self.seeds)
    try await pair.write("phone", "p1")
    try await pair.write("mac", "m1", "m2")
    try pair.bringNewest(from: "mac", to: "phone")
    try pair.connect(.live, winner: "mac")
    // The version that began the mac's store stays away for so long that the phone decides.
    pair.rig.clock.advance(milliseconds: 3_600_000)
    try await pair.look("phone")
    #expect(try await pair.rows("phone") == ["m1", "m2"])
    try await pair.write("phone", "p2")
    for part in [Part.versions, .manifest] { try pair.connect(part, winner: "mac") }
    try await pair.settle()
    try await pair.expectOne(["p1", "p2", "m1", "m2"], "\(policy)")
  }

  @Test func `a store that lost before it was known and cannot be joined is set aside once`()
    async throws
  {
    let pair = try Pair(policy: .merge, seeds: Self.seeds)
    try await pair.write("phone", "p1")
    try await pair.write("mac", "m1")
    try await pair.run("mac", "CREATE TABLE u(a)")
    try await pair.run("phone", "CREATE TABLE u(b PRIMARY KEY)")
    try await pair.write("mac", "m2")
    try pair.bringNewest(from: "mac", to: "phone")
    try pair.connect(.live, winner: "mac")
    pair.rig.clock.advance(milliseconds: 3_600_000)
    try await pair.look("phone")
    for part in [Part.versions, .manifest] { try pair.connect(part, winner: "mac") }
    try await pair.settle()
    let count = try await pair.history("phone")
    for device in ["phone", "mac"] {
      #expect(try await pair.rows(device) == ["m1", "m2"])
      let status = try await pair.status(device)
      #expect(status.state == .synced)
      #expect(status.setAside.count == 1)
    }
    try await pair.settle()
    #expect(try await pair.history("phone") == count)
  }

  @Test func `another account's store is not mixed with what was written before`() async throws {
    let pair = try Pair(policy: .merge, seeds: Self.seeds)
    try await pair.write("phone", "p1")
    try await pair.write("mac", "m1")
    let (mine, away) = (pair.rig.folder("phone"), pair.rig.place.root.appending("away"))
    try FileSystem().rename(mine, to: away)
    try pair.copyTree(pair.rig.folder("mac"), mine)
    try await pair.write("phone", "p2")
    #expect(try await pair.rows("phone") == ["m1", "p2"])
    try FileSystem().rename(mine, to: pair.rig.place.root.appending("other"))
    try FileSystem().rename(away, to: mine)
    #expect(try await pair.rows("phone") == ["p1"])
  }
}

import OpenWOHistory
import OpenWOSQLite
import OpenWOTestSupport

/// One run: what devices do by chance, and whether all rows are there in the end.
public struct MergeRun {
  /// The fault; nil if there was none.
  public private(set) var fault: String?
  /// How many merges there were.
  public private(set) var mergeCount = 0
  /// The story, one line for each step.
  public private(set) var story: [String] = []

  /// Makes the run of a seed, with files in a folder of its own.
  ///
  /// In each fourth round of kinds devices find files, too. With `hidesFinds` they have a bug: they take what they found for a write of their own.
  public init(
    seed: UInt64, onlyInserts: Bool = false, hidesFinds: Bool = false, folder: String
  ) {
    do {
      let kinds = MergeWorld.Kind.allCases.filter { !onlyInserts || !$0.hasEdits }
      let (round, kind) = seed.quotientAndRemainder(dividingBy: UInt64(kinds.count))
      let world = try MergeWorld(seed: seed, kind: kinds[Int(kind)], folder: folder)
      world.hasFinds = round % 4 == 3
      world.hidesFinds = hidesFinds
      defer {
        mergeCount = world.mergeCount
        story = world.story
      }
      do {
        try Self.act(world)
        fault = try Self.settle(world) ?? Self.check(world)
      } catch { fault = "\(error)" }
    } catch { fault = "\(error)" }
  }

  private static func act(_ world: MergeWorld) throws {
    for _ in 0..<5 + world.random.below(25) {
      let place = world.random.below(world.devices.count)
      if world.hasFinds {
        if world.random.chance(percent: 15) { try world.leave(place) }
        if world.random.chance(percent: 50) {
          try world.find(world.random.below(world.devices.count))
        }
      }
      switch world.random.below(10) {
      case 0..<4: try world.write(place)
      case 4..<8:
        let other = world.random.below(world.devices.count)
        world.deliver(from: other, to: place, percent: world.random.chance(percent: 60) ? 100 : 60)
        if world.random.chance(percent: 70) { try world.sync(place) }
      default: try world.sync(place)
      }
    }
  }

  /// Delivers everything until nothing changes.
  private static func settle(_ world: MergeWorld) throws -> String? {
    for _ in 0..<30 {
      let places = world.devices.indices
      for from in places {
        for to in places where to != from { world.deliver(from: from, to: to, percent: 100) }
      }
      let before = world.devices.map(\.known.count)
      for place in places {
        try world.find(place)
        try world.sync(place)
      }
      let isSame = Set(world.devices.map(\.current.content)).count == 1
      if isSame, before == world.devices.map(\.known.count) { return nil }
    }
    return "the devices do not come to one content"
  }

  private static func check(_ world: MergeWorld) throws -> String? {
    let connection = try MergeWorld.open(
      world.path(world.devices[0].current.content), .readOnly)
    defer { connection.close() }
    let rows = try world.rows(in: connection, withChildren: true)
    let tokens = Dictionary(grouping: rows, by: \.token)
    for (token, found) in tokens where found.count > 1 { return "\(token) is there twice" }
    for (token, notes) in world.written.sorted(by: { $0.key < $1.key }) {
      guard let row = tokens[token]?.first else {
        if world.deleted.contains(token) { continue }
        return "\(token) is lost"
      }
      guard notes.contains(row.note) else { return "\(token) has the note \(row.note)" }
      if let parent = world.parents[token], row.parent != parent {
        return "\(token) points to \(row.parent ?? "nothing") and not to \(parent)"
      }
      if world.deleted.contains(token), !world.changed.contains(token),
        !world.parents.values.contains(token)
      {
        return "\(token) was deleted and is there"
      }
    }
    return nil
  }
}

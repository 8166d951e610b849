import CPeers
import OpenWO

/// Small durable commits on a store, beside the same commits on plain SQLite with the same settings.
enum CommitsGroup {
  static func run(_ context: Context) throws {
    for size in context.sizes([1, 10, 500], short: [1, 10]) {
      let database = try WorkoutDatabase.file(megabytes: size, in: context.data)
      try measure(context, database, "\(size) MB")
    }
  }

  private static func measure(_ context: Context, _ database: String, _ size: String) throws {
    let perRound = context.isShort ? 50 : 200
    let rounds = context.rounds(10, short: 5)
    let plain = try context.folder("commits-plain") + "/live.sqlite"
    try context.copy(database, to: plain)
    let writer = peers_writer_open(plain)
    defer { peers_writer_close(writer) }
    var sides = [Case]()
    var stores: [SyncedDatabase] = []
    for (name, capturing) in [
      ("capture off", Capturing.whenIdle), ("capture on", .immediately),
    ] {
      let folder = try context.folder("commits-\(stores.count)")
      let store = try context.store(folder, of: database) {
        $0.capturing = capturing
      }
      stores.append(store)
      var number: Int64 = 0
      sides.append(
        Case(name) {
          for _ in 0..<perRound {
            number += 1
            let row = Row(number)
            try store.write { db in
              try db.execute(
                "INSERT INTO commits(name, weight, note) VALUES (?, ?, ?)", row.name, row.weight,
                row.note)
            }
          }
        })
    }
    var number: Int64 = 0
    let floor = Case("plain SQLite") {
      for _ in 0..<perRound {
        number += 1
        peers_writer_commit(writer, number)
      }
    }
    let work = "\(perRound * rounds) durable commits, \(size)"
    let off = try Comparison(
      "commits", "\(work), capture off", rounds: rounds, [sides[0], sides[1], floor],
      goals: [.atMost(1.1, times: "plain SQLite", .wall), .shown("plain SQLite", .cpu)])
    context.add(off)
    let limit = size == "1 MB" ? 1.7 : 4.0
    context.add(
      off.seen(
        as: "capture on", work: "\(work), capture on",
        goals: [.atMost(limit, times: "plain SQLite", .wall), .shown("plain SQLite", .cpu)]))
    for store in stores { try store.close() }
  }

  /// The same rows as the peer's.
  struct Row: Sendable {
    let name: String
    let weight: Double
    let note: String

    init(_ number: Int64) {
      var text = [CChar](repeating: 0, count: 64)
      peers_name(number, &text)
      name = String(decoding: text.prefix(20).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      weight = Double(number) * 0.25
      let count = Int(peers_note(number, &text))
      note = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}

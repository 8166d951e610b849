import CPeers
import Foundation
import GRDB
import OpenWO
import OpenWOSQLite
import SystemPackage

/// The layer above SQLite: rows out, rows in, look-ups, opening.
enum WrapperGroup {
  static let rows = 200_000
  static let lookUps = 100_000

  struct Entry: OpenWOSQLite.RowDecodable {
    let id: Int64
    let name: String
    let weight: Double
    let note: String

    init(row: borrowing OpenWOSQLite.Row) throws {
      id = try row.get(0)
      name = try row.get(1)
      weight = try row.get(2)
      note = try row.get(3)
    }

    var sum: Int64 { id + Int64(name.utf8.count) + Int64(note.utf8.count) + Int64(weight) }
  }

  static func run(_ context: Context) throws {
    let folder = try context.folder("wrapper")
    let path = "\(folder)/t.sqlite"
    peers_insert(path, Int64(rows))
    try fetch(context, path)
    try insert(context, folder)
    try lookUp(context, path)
    try lookUpEach(context, path)
    try open(context, path)
    try read(context, folder, path)
  }

  static func connect(_ path: String, _ mode: Connection.Options.Mode = .readWrite) throws
    -> Connection
  {
    try Connection(path: FilePath(path), Connection.Options(mode: mode, guardPolicy: .privateCopy))
  }

  private static func fetch(_ context: Context, _ path: String) throws {
    let expected = peers_fetch_copying(path)
    func same(_ sum: Int64) { precondition(sum == expected, "the sides read different rows") }
    let queue = try GRDBPeer.queue(path)
    let fetch = try Comparison(
      "wrapper", "fetch \(rows) rows into structs", rounds: context.rounds(15, short: 5),
      [
        Case("rows(as:)") {
          let db = try connect(path)
          let all = try db.rows("SELECT id, name, weight, note FROM t", as: Entry.self)
          db.close()
          same(all.reduce(0) { $0 + $1.sum })
        },
        Case("C, copied") { same(peers_fetch_copying(path)) },
        Case("GRDB by index") { same(try GRDBPeer.fetchByIndex(queue)) },
        Case("GRDB by name") { same(try GRDBPeer.fetchByName(queue)) },
        Case("GRDB Codable") { same(try GRDBPeer.fetchCodable(queue)) },
      ],
      goals: [
        .atMost(1.30, times: "C, copied"), .shown("GRDB by index", .cpu),
        .atLeast(1.6, timesBetterThan: "GRDB by name", .cpu),
        .atLeast(3, timesBetterThan: "GRDB Codable", .cpu),
      ])
    context.add(fetch)
    context.add(
      try Comparison(
        "wrapper", "fetch \(rows) rows, bytes borrowed", rounds: context.rounds(15, short: 5),
        [
          Case("forEach, spans") {
            let db = try connect(path)
            var sum: Int64 = 0
            try db.forEach("SELECT id, name, weight, note FROM t") { row in
              sum += try row.get(0, as: Int64.self)
              sum += try row.column(1).withBytes { Int64($0.count) + ($0[0] == 0 ? 1 : 0) }
              sum += Int64(try row.get(2, as: Double.self))
              sum += try row.column(3).withBytes { Int64($0.count) + ($0[0] == 0 ? 1 : 0) }
            }
            db.close()
            same(sum)
          },
          Case("C, nothing copied") { same(peers_fetch_borrowing(path)) },
        ], goals: [.atMost(1.1, times: "C, nothing copied")]))
  }

  private static func insert(_ context: Context, _ folder: String) throws {
    let made = (1...rows).map { CommitsGroup.Row(Int64($0)) }
    let path = "\(folder)/insert.sqlite"
    let clear = { context.remove(path) }
    context.add(
      try Comparison(
        "wrapper", "insert \(rows) rows in a transaction", rounds: context.rounds(11, short: 5),
        [
          Case("Statement", prepare: clear) {
            let db = try connect(path, .create)
            try db.executeScript("PRAGMA synchronous = OFF; \(GRDBPeer.schema)")
            try db.transaction {
              let insert = try db.prepare(
                "INSERT INTO t(id, name, weight, note) VALUES (?, ?, ?, ?)")
              var id: Int64 = 0
              for row in made {
                id += 1
                try insert.execute(id, row.name, row.weight, row.note)
              }
            }
            db.close()
          },
          Case("C", prepare: clear) { peers_insert(path, Int64(rows)) },
          Case("GRDB statement", prepare: clear) { try GRDBPeer.insert(path, made) },
          Case("GRDB record", prepare: clear) { try GRDBPeer.insertRecords(path, made) },
        ],
        goals: [
          .atMost(1.2, times: "C"), .atLeast(1.9, timesBetterThan: "GRDB statement", .cpu),
          .atLeast(7, timesBetterThan: "GRDB record", .cpu),
        ]))
  }

  /// The same sequence of ids as the peer's.
  struct Ids {
    private var state: UInt64 = 88_172_645_463_325_252

    mutating func next() -> Int64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return 1 + Int64(state % UInt64(rows))
    }
  }

  private static func lookUp(_ context: Context, _ path: String) throws {
    let expected = peers_look_up(path, Int64(lookUps), Int64(rows), 1)
    let queue = try GRDBPeer.queue(path)
    context.add(
      try Comparison(
        "wrapper", "\(lookUps) look-ups, cached statement", rounds: context.rounds(11, short: 5),
        [
          Case("row(as:)") {
            let db = try connect(path)
            var (ids, sum) = (Ids(), Int64(0))
            try db.transaction(.deferred) {
              for _ in 0..<lookUps {
                sum +=
                  try db.row(
                    "SELECT id, name, weight, note FROM t WHERE id = ?", ids.next(), as: Entry.self)?
                  .sum ?? 0
              }
            }
            db.close()
            precondition(sum == expected)
          },
          Case("C") {
            precondition(peers_look_up(path, Int64(lookUps), Int64(rows), 1) == expected)
          },
          Case("GRDB") {
            let sum = try GRDBPeer.lookUp(queue, lookUps)
            precondition(sum == expected)
          },
        ], goals: [.atMost(1.15, times: "C"), .atLeast(1.5, timesBetterThan: "GRDB", .cpu)]))
  }

  private static func lookUpEach(_ context: Context, _ path: String) throws {
    let count = lookUps / 10
    let expected = peers_look_up(path, Int64(count), Int64(rows), 0)
    let queue = try GRDBPeer.queue(path)
    context.add(
      try Comparison(
        "wrapper", "\(count) look-ups, each a read of its own",
        rounds: context.rounds(11, short: 5),
        [
          Case("row(as:)") {
            let db = try connect(path)
            var (ids, sum) = (Ids(), Int64(0))
            for _ in 0..<count {
              sum +=
                try db.row(
                  "SELECT id, name, weight, note FROM t WHERE id = ?", ids.next(), as: Entry.self)?
                .sum ?? 0
            }
            db.close()
            precondition(sum == expected)
          },
          Case("C, autocommit") {
            precondition(peers_look_up(path, Int64(count), Int64(rows), 0) == expected)
          },
          Case("GRDB read { }") {
            let sum = try GRDBPeer.lookUpEach(queue, count)
            precondition(sum == expected)
          },
        ],
        goals: [
          .atMost(1.15, times: "C, autocommit"),
          .atLeast(4.5, timesBetterThan: "GRDB read { }", .cpu),
        ]))
  }

  private static func open(_ context: Context, _ path: String) throws {
    let count = 500
    context.add(
      try Comparison(
        "wrapper", "open, one query, close, \(count) times", rounds: context.rounds(15, short: 7),
        [
          Case("Connection") {
            for _ in 0..<count {
              let db = try connect(path)
              _ = try db.value("SELECT count(*) FROM t WHERE id = 1", as: Int64.self)
              db.close()
            }
          },
          Case("C") { peers_open(path, Int64(count)) },
          Case("GRDB") {
            for _ in 0..<count {
              let queue = try GRDBPeer.queue(path)
              _ = try queue.read {
                try Int64.fetchOne($0, sql: "SELECT count(*) FROM t WHERE id = 1")
              }
            }
          },
        ], goals: [.atMost(1.1, times: "C"), .atLeast(2.5, timesBetterThan: "GRDB", .cpu)]))
  }

  private static func read(_ context: Context, _ folder: String, _ path: String) throws {
    let count = lookUps / 10
    let store = try context.store("\(folder)/store", of: path)
    defer { try? store.close() }
    let expected = peers_look_up(path, Int64(count), Int64(rows), 0)
    let queue = try GRDBPeer.queue(path)
    context.add(
      try Comparison(
        "wrapper", "\(count) look-ups, each in a read { } of a store",
        rounds: context.rounds(11, short: 5),
        [
          Case("read { }") {
            var (ids, sum) = (Ids(), Int64(0))
            for _ in 0..<count {
              let id = ids.next()
              sum += try store.read { db in
                try db.row("SELECT id, name, weight, note FROM t WHERE id = ?", id, as: Entry.self)?
                  .sum ?? 0
              }
            }
            precondition(sum == expected)
          },
          Case("C, autocommit") {
            precondition(peers_look_up(path, Int64(count), Int64(rows), 0) == expected)
          },
          Case("GRDB read { }") {
            let sum = try GRDBPeer.lookUpEach(queue, count)
            precondition(sum == expected)
          },
        ],
        goals: [
          .atMost(2, times: "C, autocommit"), .shown("GRDB read { }", .cpu),
        ]))
  }
}

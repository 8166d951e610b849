import Dispatch
import OpenWO
import OpenWOFiles
import OpenWOHistory
import Synchronization

/// Writes rows at the rate that standard input tells, and prints what became of each: `ok`, `locked`, `setAside` or `error`.
///
/// A row that was printed as `ok` or `setAside` is acknowledged: the store has promised that it is not lost.
final class Writer: Sendable {
  /// Writes in a second; nil once the input has ended.
  private let rate = Mutex<Double?>(0)
  private let database: String
  private let tag: String
  private let seed: UInt64

  init(_ arguments: Arguments) throws {
    database = arguments.database
    tag = try arguments.text("--tag")
    seed = UInt64(try arguments.text("--seed")) ?? 1
  }

  func run() throws {
    listen()
    let clock = SystemClock()
    let store = try SyncedDatabase(
      path: database, configuration: ServicesWriter.configuration())
    try ServicesWriter.say("open")
    let events = store.events()
    Task.detached {
      for await event in events { try? ServicesWriter.say("# \(SystemClock().now()) \(event)") }
    }
    var random = Dice(seed)
    var number = 0
    var next = clock.monotonic()
    while let rate = rate.withLock({ $0 }) {
      if rate > 0 && clock.monotonic() >= next {
        number += 1
        try write(store, "\(tag)-\(number)", &random)
        next = clock.monotonic() + Int64(1e9 / rate * (0.2 + 1.6 * random.fraction()))
      }
      clock.sleep(nanoseconds: 5_000_000)
    }
    try store.close()
    try ServicesWriter.say("closed")
  }

  /// Follows the input: `rate 2.5`, again and again; its end ends the writer.
  private func listen() {
    DispatchQueue(label: "input").async { [self] in
      while let line = readLine() {
        let words = line.split(separator: " ")
        if words.count == 2, words[0] == "rate" { rate.withLock { $0 = Double(words[1]) } }
      }
      rate.withLock { $0 = nil }
    }
  }

  /// One transaction: a row of its own, and changes to rows that the other side changes too.
  private func write(_ store: SyncedDatabase, _ row: String, _ random: inout Dice) throws {
    let shared = (0..<5).map { _ in random.below(200) + 1 }
    let length = random.below(600) + 20
    let start = SystemClock().now()
    defer { try? ServicesWriter.say("# \(start) took \(SystemClock().now() - start) ms") }
    do {
      try store.write { db in
        try db.execute(
          "INSERT INTO entry(id, text) VALUES(?, ?)", row, String(repeating: "x", count: length))
        for id in shared {
          try db.execute("UPDATE shared SET who = ?, body = randomblob(400) WHERE id = ?", row, id)
        }
      }
      try ServicesWriter.say("ok \(row)")
    } catch let error as StoreError where error.code == .setAside {
      try ServicesWriter.say("setAside \(row) \(error.version?.description ?? "nothing")")
    } catch let error as StoreError where error.code == .locked {
      try ServicesWriter.say("locked \(row)")
    } catch {
      try ServicesWriter.say("error \(row) \(error)")
    }
  }
}

/// Numbers that follow from a seed.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  private mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }
  mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}

import Foundation
import OpenWOFiles
import OpenWOTestSupport
package import SystemPackage

/// Two apps that write without rest into one database, kill -9 of either at any moment, and a service that moves files between two devices.
package struct Kills: Sendable {
  package var kills = 1_000
  package var threads = 24
  package var seed: UInt64 = 1
  /// After this many kills everything stops and is checked.
  private static let round = 20

  package init() {}

  /// Plays all of it.
  package func outcome(_ tools: Tools, _ folder: FilePath) -> Outcome {
    let rounds = (kills + Self.round - 1) / Self.round
    return Jobs(jobs: Array(0..<rounds), threads: threads).run { number in
      var play = try KillPlay(
        Scene(folder, tools), SeededRandom(seed: seed &+ UInt64(number) &* 7919))
      let wrong = try play.run(kills: Self.round)
      var outcome = Outcome()
      for _ in 0..<Self.round { outcome.note("kills", "", []) }
      outcome.shares["acknowledged rows"] = play.acknowledged
      outcome.shares["moves of the service"] = play.moves
      outcome.violations += wrong.map { "round \(number): \($0)" }
      return outcome
    }
  }
}

/// One round: apps are killed and started again.
private struct KillPlay {
  let scene: Scene
  var random: SeededRandom
  private var apps: [Child] = []
  private var rest: [[UInt8]] = []
  private var started = 0
  private(set) var acknowledged = 0
  private(set) var moves = 0
  private var violations: [String] = []
  private let clock = SystemClock()

  init(_ scene: Scene, _ random: SeededRandom) {
    (self.scene, self.random) = (scene, random)
  }

  mutating func run(kills: Int) throws -> [String] {
    try scene.start()
    apps = [try startApp(), try startApp()]
    rest = [[], []]
    for _ in 0..<kills {
      let victim = random.below(2)
      try listen(to: victim, rows: random.below(3))
      if random.below(4) == 0 { try move() }
      try end(victim)
      apps[victim] = try startApp()
    }
    for index in apps.indices { try end(index) }
    // Rows that the other device acknowledged are promised there, and here after their arrival.
    try scene.deliver("mac", "phone", live: false)
    var recovery = Recovery(scene, nil, kept: scene.kept, KnownContents())
    recovery.expect(violations)
    recovery.run()
    return recovery.violations
  }

  private mutating func startApp() throws -> Child {
    started += 1
    return try Child(
      [scene.tools.writer, "write-on", scene.database.string, "app\(started)"], scene.variables)
  }

  /// Reads an app's output until it has reported this many more rows, and then for a random moment.
  private mutating func listen(to index: Int, rows: Int) throws {
    let limit = clock.monotonic() + 20_000_000_000
    let before = acknowledged
    while acknowledged - before < rows, let piece = apps[index].read(until: limit) {
      if piece.isEmpty { throw Failure("an app does not go on") }
      take(piece, index)
    }
    let moment = clock.monotonic() + Int64(random.below(12)) * 1_000_000
    while clock.monotonic() < moment, let piece = apps[index].read(until: moment) {
      take(piece, index)
    }
  }

  private mutating func take(_ piece: [UInt8], _ index: Int) {
    rest[index] += piece
    while let end = rest[index].firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[index][..<end], as: UTF8.self)
      rest[index].removeSubrange(...end)
      if line.hasPrefix("ack ") {
        acknowledged += 1
        scene.note(told: line)
      } else if line.hasPrefix("not "), !line.hasSuffix(" inDoubt") {
        scene.note(told: line)
      } else {
        violations.append("an app says: \(line.prefix(300))")
      }
    }
  }

  /// Kills an app and reads what it has still told; what it had only begun to tell counts for nothing.
  private mutating func end(_ index: Int) throws {
    kill(apps[index].pid, SIGKILL)
    let limit = clock.monotonic() + 20_000_000_000
    while let piece = apps[index].read(until: limit) {
      if piece.isEmpty { throw Failure("a killed app does not end") }
      take(piece, index)
    }
    rest[index] = []
    let end = apps[index].wait()
    if end != .signalled(SIGKILL) { violations.append("an app ended by itself: \(end)") }
  }

  /// The service brings something, or takes something; at times the other device writes.
  private mutating func move() throws {
    moves += 1
    switch random.below(4) {
    case 0: try scene.deliver("phone", "mac", live: false)
    case 1: try scene.deliver("mac", "phone", live: false)
    case 2: try scene.write("mac-\(started)", "mac")
    default: try scene.deliver("mac", "phone", live: true)
    }
  }
}

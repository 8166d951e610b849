import Foundation
import OpenWO
import Synchronization
import SystemPackage

/// A watched folder: how soon an arriving version is live, and what waiting costs.
enum WatchGroup {
  static func run(_ context: Context) throws {
    try arrival(context)
    try idle(context)
  }

  /// One device writes; its files are put into the other's folder by rename, as a service does it.
  private static func arrival(_ context: Context) throws {
    let folder = try context.folder("watch")
    let database = try WorkoutDatabase.file(megabytes: 1, in: context.data)
    let sender = try context.store("\(folder)/a", of: database, monitors: false)
    let (from, to) = ("\(folder)/a/synced", "\(folder)/b/synced")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/b", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: from, toPath: to)
    let receiver = try SyncedDatabase(
      path: "\(to)/live.sqlite", configuration: context.configuration("\(folder)/b"))
    let arrived = Counter()
    let events = receiver.events()
    let listener = Task {
      for await event in events { if case .imported = event { arrived.add() } }
    }
    defer { listener.cancel() }
    var day = 0
    var seen = Set(try names("\(from)/live.sqlite.openwo/versions"))
    let adoption = Case(
      measuring: "imported",
      prepare: {
        day += 1
        let number = day
        try sender.write { try WorkoutEdit.day(number, on: $0) }
        _ = try sender.reconcile()
        for name in try names("\(from)/live.sqlite.openwo/versions")
        where seen.insert(name).inserted {
          try put(
            "\(from)/live.sqlite.openwo/versions/\(name)",
            "\(to)/live.sqlite.openwo/versions/\(name)")
        }
        Thread.sleep(forTimeInterval: 0.8)
      },
      {
        let target = arrived.value + 1
        return try Sample.of {
          try put("\(from)/live.sqlite", "\(to)/live.sqlite")
          try arrived.wait(for: target)
        }
      })
    context.add(
      try Comparison(
        "watch", "arrival to adopted, 1 MB", rounds: context.rounds(15, short: 5), [adoption],
        goals: [.atMost(0.030)]))
    service(context, beside: adoption, bringing: database)
    try sender.close()
    try receiver.close()
  }

  /// The same once more, beside what a service takes to bring a file; its daemons run only for this.
  private static func service(
    _ context: Context, beside adoption: Case, bringing database: String
  ) {
    guard Child.exists("syncthing") else {
      return context.report.skip("watch", "syncthing is not installed")
    }
    do {
      let syncthing = try SyncthingPeer(in: context.folder("syncthing"), sending: database)
      defer { syncthing.stop() }
      context.add(
        try Comparison(
          "watch", "arrival to adopted, beside bringing the file (fsWatcherDelayS=1)",
          rounds: context.rounds(15, short: 5), warmUps: 0, [adoption, syncthing.delivery],
          goals: [.shown(SyncthingPeer.name)]))
    } catch {
      context.report.skip("watch", "\(error)")
    }
  }

  private static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
  }

  private static func put(_ file: String, _ path: String) throws {
    let staged = path + ".~part"
    try? FileManager.default.removeItem(atPath: staged)
    try FileManager.default.copyItem(atPath: file, toPath: staged)
    guard rename(staged, path) == 0 else {
      throw Child.Failure(description: "cannot rename \(staged)")
    }
  }

  private static func idle(_ context: Context) throws {
    let folder = try context.folder("idle")
    let store = try context.store(folder, of: WorkoutDatabase.file(megabytes: 1, in: context.data))
    try store.close()
    guard let command = context.command else {
      return context.report.skip("watch", "no openwo command was built")
    }
    let seconds = context.isShort ? 60.0 : 600.0
    func watch(for seconds: Double) throws -> Sample {
      try Child(
        "timeout", "-s", "INT", "\(seconds)", command, "watch", "\(folder)/synced/live.sqlite",
        "--state-dir", "\(folder)/state", accepted: [124]
      ).run()
    }
    context.add(
      try Comparison(
        "watch", "openwo watch, idle for \(Int(seconds)) s: a second of it, starting left out",
        rounds: 1, warmUps: 0,
        [
          Case(measuring: "idle") {
            let (short, long) = (try watch(for: 2), try watch(for: 2 + seconds))
            return Sample(
              wall: long.wall, cpu: max(0, long.cpu - short.cpu) / seconds,
              switches: max(0, (long.switches ?? 0) - (short.switches ?? 0)) / seconds)
          }
        ], goals: [.atMost(0.001, .cpu), .atMost(1, .switches)]))
  }

  /// Counts from one thread what another waits for.
  final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }

    func wait(for target: Int) throws {
      for _ in 0..<100_000 {
        if value >= target { return }
        Thread.sleep(forTimeInterval: 0.0002)
      }
      throw Child.Failure(description: "nothing was imported")
    }
  }
}

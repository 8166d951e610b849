import ExampleShared
import Foundation
import OpenWOApp

/// The app: each verb is one read or one write of the repository.
struct App {
  let store: AppStore
  var terminal = Terminal("dailydo", DailyDo.profile, .en)
  var clock: @Sendable () -> Date = { Date() }

  func perform(_ words: Words) async throws {
    // First import what this device has written without its folder; a list that stays open shows it
    // when it arrives.
    if words.verb != .open { _ = await store.attachment() }
    try await takeOver()
    try await beginDay()
    switch words.verb {
    case .list:
      let todos = try await list()
      if todos.isEmpty { terminal.line(Translated(en: "no to-dos yet", ja: "TODOはまだありません")) }
      todos.forEach(show)
    case .add, .done, .edit, .delete: try await change(words)
    case .reset: try await reset(words)
    case .on, .off:
      try await store.setSyncEnabled(words.verb == .on)
      terminal.show(await store.syncState)
    case .settings: terminal.show(await store.syncState)
    case .open: try await stayOpen()
    }
  }

  /// Once: the to-dos of the app from before.
  private func takeOver() async throws {
    let now = stamp()
    let earlier = await store.bringOver(LegacyStore.file) { old, new in
      try LegacyStore(old).fillIn(new, at: now)
    }
    terminal.texts.broughtOver(earlier).map(terminal.note)
  }

  func list() async throws -> [Todo] {
    try await store.database.read { db in try Todo.all(in: db) }
  }

  private func change(_ words: Words) async throws {
    let (verb, title, now) = (words.verb, try words.title(), stamp())
    let rest = words.rest
    try await store.database.write { db in
      switch verb {
      case .add: try Todo.add(title, in: db)
      case .done: try Todo.toggle(title, at: now, in: db)
      case .edit:
        guard rest.count == 2 else {
          throw Mistake(
            en: "name the to-do and its new title, each in quotes",
            ja: "TODOと新しいタイトルを引用符で囲んで指定してください。")
        }
        try Todo.rename(rest[0], to: rest[1], in: db)
      default: try Todo.delete(title, in: db)
      }
    }
  }

  private func reset(_ words: Words) async throws {
    if let word = words.rest.first {
      guard let hour = Int(word), (0...23).contains(hour) else {
        throw Mistake(en: "an hour is 0 to 23", ja: "時刻は0から23で指定してください。")
      }
      // Of two devices the later one counts, also within a second.
      let now = clock().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      try await store.database.write { db in try Settings.update(resetTime: hour, at: now, in: db) }
    }
    let hour = try await store.database.read { db in try Settings.resetTime(in: db) }
    terminal.line(
      Translated(en: "a new day begins at \(hour):00", ja: "\(hour)時に新しい一日が始まります"))
  }

  /// Resets what was done before this day began; another device may already have done so.
  func beginDay() async throws {
    let now = clock()
    try await store.database.read { db in
      let begin = Day.begin(at: now, hour: try Settings.resetTime(in: db))
      return try Todo.isAnyDone(before: begin, in: db) ? begin : nil
    }.map { begin in
      do {
        try store.database.write { db in try Todo.reopen(doneBefore: begin, in: db) }
      } catch StoreError.Code.locked {
        // While somebody edits the list, it is shown as it is.
      }
    }
  }

  private func show(_ todo: Todo) {
    terminal.line("[\(todo.isCompleted ? "x" : " ")] \(todo.title)")
  }

  private func stayOpen() async throws {
    let list = TodoList(store)
    let following = Task { try await list.follow { $0.forEach(show) } }
    while readLine() != nil {
      try await beginDay()
      await store.didBecomeActive()
    }
    following.cancel()
  }

  private func stamp() -> String { clock().formatted(.iso8601) }
}

/// A day of the person's, which may begin in the small hours.
enum Day {
  /// When the day of a moment began, in UTC as the database has it.
  static func begin(at now: Date, hour: Int, timeZone: TimeZone = .current) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let shifted = calendar.date(byAdding: .hour, value: -hour, to: now) ?? now
    let midnight = calendar.startOfDay(for: shifted)
    return (calendar.date(byAdding: .hour, value: hour, to: midnight) ?? midnight)
      .formatted(.iso8601)
  }
}

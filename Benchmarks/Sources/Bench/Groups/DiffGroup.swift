import CPeers
import OpenWO
import OpenWOMerge
import OpenWOSQLite

/// What differs between two databases.
enum DiffGroup {
  static func run(_ context: Context) throws {
    for size in context.sizes([1, 50, 500], short: [50]) {
      let database = try WorkoutDatabase.file(megabytes: size, in: context.data)
      for rows in [20, 2000] {
        let folder = try context.folder("diff")
        let other = "\(folder)/other.sqlite"
        try context.copy(database, to: other)
        let db = try WrapperGroup.connect(other)
        _ = try db.takeChangedPages()
        try db.transaction { try WorkoutEdit.spread(rows, seed: 5, on: db) }
        let changed = try db.takeChangedPages()
        db.close()
        try measure(context, database, other, changed, "\(size) MB, \(rows) rows differ", rows)
        if size > 1 {
          try versions(context, database, other, "\(size) MB, \(rows) rows differ", rows)
        }
      }
      guard size > 1 else { continue }
      let folder = try context.folder("diff")
      try context.copy(database, to: "\(folder)/other.sqlite")
      try Child("sqlite3", "\(folder)/other.sqlite", "VACUUM").run()
      try measure(
        context, database, "\(folder)/other.sqlite", .all, "\(size) MB, the same after VACUUM", 0)
    }
  }

  /// Two versions of a store, as `openwo diff` compares them, from the archive to the counts.
  private static func versions(
    _ context: Context, _ old: String, _ new: String, _ work: String, _ rows: Int
  ) throws {
    guard Child.exists("sqldiff") else { return }
    let folder = try context.folder("diff-store")
    let store = try context.store(folder, of: old, monitors: false)
    try store.write { try WorkoutEdit.spread(rows, seed: 5, on: $0) }
    _ = try store.reconcile()
    // Neither is the live one.
    try store.write { try WorkoutEdit.day(1, on: $0) }
    _ = try store.reconcile()
    let history = try store.history().map(\.version.id)
    context.add(
      try Comparison(
        "diff", "\(work), two versions of a store", rounds: context.rounds(5, short: 3),
        [
          Case("versions") {
            let found = try store.diff(from: .version(history[2]), to: .version(history[1]))
            precondition(!found.equal, "the difference is wrong")
          },
          Case("sqldiff", Child("sqldiff", old, new)),
        ], goals: [.atLeast(rows == 20 ? 100 : 25, timesBetterThan: "sqldiff")]))
    try store.close()
  }

  private static func measure(
    _ context: Context, _ old: String, _ new: String, _ changed: ChangedPages, _ work: String,
    _ rows: Int
  ) throws {
    func compare(_ pages: PageSet?) throws {
      let (a, b) = (
        try WrapperGroup.connect(old, .readOnly), try WrapperGroup.connect(new, .readOnly)
      )
      defer {
        a.close()
        b.close()
      }
      var options = DifferenceOptions()
      options.differingPages = pages
      let found = try difference(from: a, to: b, options: options)
      precondition(found.equal == (rows == 0), "the difference is wrong")
    }
    var cases = [Case("difference") { try compare(nil) }]
    if case .pages(let pages) = changed {
      var known = PageSet(pageCount: Int(pages.last ?? 0) + 1)
      for page in pages { known.insert(page) }
      cases.append(Case("pages known") { try compare(known) })
    }
    cases.append(Case("read both and memcmp") { _ = peers_compare_files(old, new) })
    if Child.exists("sqldiff") { cases.append(Case("sqldiff", Child("sqldiff", old, new))) }
    if peers_session_diff(old, old) >= 0 {
      cases.append(Case("session extension") { _ = peers_session_diff(old, new) })
    }
    cases.append(
      Case("process", Child(CommandLine.arguments[0], "--child", "diff", old, new)))
    let comparison = try Comparison(
      "diff", work, rounds: context.rounds(5, short: 3), warmUps: 1, cases,
      goals: [
        .atLeast(rows == 20 ? 40 : rows == 0 ? 15 : 25, timesBetterThan: "sqldiff"),
        .shown("session extension"),
        .shown("read both and memcmp"),
      ])
    context.add(comparison)
    context.add(
      comparison.seen(
        as: "pages known", work: "\(work), pages known",
        goals: [.atLeast(rows == 20 ? 100 : 25, timesBetterThan: "sqldiff")]))
    context.add(
      comparison.seen(
        as: "process", work: "\(work), in a process of its own",
        goals: [.atMost(64e6, .memory), .shown("sqldiff", .memory)]))
  }
}

import Foundation
import OpenWO
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// One version after a day's training, about twenty rows: how long it takes and what it adds.
enum VersionsGroup {
  static func run(_ context: Context) throws {
    for size in context.sizes([1, 50, 500], short: [50]) {
      let database = try WorkoutDatabase.file(megabytes: size, in: context.data)
      try measure(context, database, "\(size) MB")
    }
  }

  /// A program with an archive of its own, and how it takes a snapshot of a file.
  struct Archiver: Sendable {
    let name: String
    let program: String
    let start: @Sendable (String) -> [Child]
    let snapshot: @Sendable (_ archive: String, _ file: String, _ number: Int) -> Child
  }

  static let archivers = [
    Archiver(
      name: "restic", program: "restic", start: { [Child("restic", "init", "-q", "-r", $0)] },
      snapshot: { archive, file, _ in Child("restic", "backup", "-q", "-r", archive, file) }),
    Archiver(
      name: "borg", program: "borg", start: { [Child("borg", "init", "-e", "none", $0)] },
      snapshot: { archive, file, number in Child("borg", "create", "\(archive)::v\(number)", file) }
    ),
    Archiver(
      name: "borg, tuned", program: "borg", start: { [Child("borg", "init", "-e", "none", $0)] },
      snapshot: { archive, file, number in
        Child(
          "borg", "create", "--chunker-params", "fixed,65536", "--compression", "zstd,3",
          "\(archive)::v\(number)", file)
      }),
    Archiver(
      name: ".backup", program: "sqlite3", start: { _ in [] },
      snapshot: { archive, file, number in
        Child("sqlite3", file, ".backup \(archive)/v\(number).db")
      }),
  ]

  static func setEnvironment(_ folder: String) {
    for (name, value) in [
      ("RESTIC_PASSWORD", "x"), ("RESTIC_CACHE_DIR", "\(folder)/restic-cache"),
      ("BORG_BASE_DIR", "\(folder)/borg-base"),
      ("BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK", "yes"),
    ] { setenv(name, value, 1) }
  }

  private static func measure(_ context: Context, _ database: String, _ size: String) throws {
    let folder = try context.folder("versions")
    setEnvironment(folder)
    let rounds = context.rounds(size == "500 MB" ? 7 : 15, short: 5)
    let store = try context.store("\(folder)/ours", of: database)
    var day = 0
    var cases = [
      Case(measuring: "write { } with its version") {
        day += 1
        let number = day
        let before = try store.history().count
        let files = Context.files(under: "\(folder)/ours/synced/live.sqlite.openwo/versions")
        var sample = try Sample.of { try store.write { try WorkoutEdit.day(number, on: $0) } }
        _ = try store.reconcile()
        guard try store.history().count == before + 1 else {
          throw Child.Failure(description: "no version")
        }
        sample.bytes = Double(try newest("\(folder)/ours/synced/live.sqlite.openwo/versions"))
        sample.files = Context.changes(
          files, Context.files(under: "\(folder)/ours/synced/live.sqlite.openwo/versions"))
        return sample
      }
    ]
    cases.append(try archiveAlone(folder, database))
    for (place, archiver) in archivers.enumerated() where Child.exists(archiver.program) {
      if size == "500 MB" && archiver.name == "borg" { continue }
      let (archive, file) = ("\(folder)/peer-\(place)", "\(folder)/peer-\(place).sqlite")
      try FileManager.default.createDirectory(atPath: archive, withIntermediateDirectories: true)
      try context.copy(database, to: file)
      for child in archiver.start(archive) { try child.run() }
      try archiver.snapshot(archive, file, 0).run()
      let db = try WrapperGroup.connect(file)
      var number = 0
      cases.append(
        Case(
          measuring: archiver.name,
          prepare: {
            number += 1
            try db.transaction { try WorkoutEdit.day(number, on: db) }
          },
          {
            let before = Context.bytes(under: archive)
            let files = Context.files(under: archive)
            var sample = try archiver.snapshot(archive, file, number).run()
            sample.bytes = Double(Context.bytes(under: archive) - before)
            sample.files = Context.changes(files, Context.files(under: archive))
            return sample
          }))
    }
    let comparison = try Comparison(
      "versions", "\(size), 20 rows: transaction and durable version", rounds: rounds, cases,
      goals: goals(size))
    context.add(comparison)
    context.add(
      comparison.seen(
        as: "pages known", work: "\(size), 20 rows: the version alone, pages known",
        goals: [.atMost(0.010), .atMost(2500, .bytes), .shown("restic")]))
    try store.close()
    try memory(context, folder, size)
    try check(context, folder, database, size)
  }

  /// The same in a process of its own, for the memory it holds.
  private static func memory(_ context: Context, _ folder: String, _ size: String) throws {
    var day = 1000
    let path = "\(folder)/ours/synced/live.sqlite"
    let comparison = try Comparison(
      "versions", "\(size), 20 rows: store opened, written and closed by a process of its own",
      rounds: 3,
      [
        Case(measuring: "process") {
          day += 1
          return try Child(
            CommandLine.arguments[0], "--child", "write", path, "\(folder)/ours/state", "\(day)"
          ).run()
        }
      ], goals: [.atMost(16e6, .memory)])
    context.add(comparison)
  }

  /// The whole content held against its hash, beside SQLite's own check.
  private static func check(
    _ context: Context, _ folder: String, _ database: String, _ size: String
  ) throws {
    guard Child.exists("sqlite3") else { return }
    let files = OpenWOFilesAccess.fileSystem
    context.add(
      try Comparison(
        "versions", "\(size), whole content against its hash", rounds: context.rounds(5, short: 3),
        [
          Case("hash") {
            let content = try FileContent(FilePath(database), fileSystem: files)
            _ = try BlockDigests(size: content.size, read: content.read)
          },
          Case("PRAGMA quick_check", Child("sqlite3", database, "PRAGMA quick_check")),
        ], goals: [.atLeast(10, timesBetterThan: "PRAGMA quick_check")]))
  }

  private static func goals(_ size: String) -> [Goal] {
    var goals: [Goal] = [.atMost(0.010), .atMost(2500, .bytes), .atMost(1, .files)]
    goals += [
      .atLeast(70, timesBetterThan: "restic"), .atLeast(500, timesBetterThan: "restic", .bytes),
    ]
    goals += [
      .atLeast(18, timesBetterThan: "borg, tuned"),
      .atLeast(150, timesBetterThan: "borg, tuned", .bytes),
      .shown("borg"), .shown("borg", .bytes), .shown(".backup"), .shown(".backup", .bytes),
      .shown("restic", .files), .shown("borg, tuned", .files),
    ]
    return goals
  }

  private static func newest(_ folder: String) throws -> Int64 {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let attributes = try FileManager.default.attributesOfItem(
      atPath: "\(folder)/\(names.last ?? "")")
    return (attributes[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// Digests, delta and file from known pages, without the transaction before.
  private static func archiveAlone(_ folder: String, _ database: String) throws -> Case {
    let (file, versions) = ("\(folder)/alone.sqlite", FilePath("\(folder)/alone"))
    try FileManager.default.copyItem(atPath: database, toPath: file)
    let files = OpenWOFilesAccess.fileSystem
    try files.makeDirectories(versions)
    let archive = Archive(folders: [versions], fileSystem: files)
    let db = try WrapperGroup.connect(file)
    var digests = try BlockDigests(size: db.fileSize(), read: db.readFile)
    func version(_ parents: [VersionID], _ at: Int64) throws -> Version {
      let facts = ContentFacts(
        hash: digests.root, bytes: digests.size, pageSize: 4096, userVersion: 0, applicationID: 0)
      return try Version(
        facts: facts, parents: parents, device: "bench", deviceName: "bench",
        at: HybridTime(milliseconds: 1_700_000_000_000 + at), reason: .write)
    }
    var last = try version([], 0)
    try archive.write(last, .full(FileContent(FilePath(file), fileSystem: files)), into: versions)
    var listing = try archive.scan()
    var number = 0
    return Case(
      measuring: "pages known",
      prepare: {
        number += 1
        _ = try db.takeChangedPages()
        try db.transaction { try WorkoutEdit.day(number, on: db) }
      },
      {
        guard case .pages(let pages) = try db.takeChangedPages() else {
          throw Child.Failure(description: "the pages are not known")
        }
        var bytes: Int64 = 0
        var sample = try Sample.of {
          let content = try FileContent(FilePath(file), fileSystem: files)
          try digests.update(
            size: content.size, changed: BlockDigests.blocks(holding: pages, pageSize: 4096),
            read: content.read)
          let new = try version([last.id], Int64(number))
          let old = try archive.reader(last.content, in: listing)
          let stored = try archive.write(
            new, .pages(PageChanges(from: old, last.content, to: content, pages: pages)),
            into: versions)
          listing.insert(stored)
          bytes = stored.fileSize
          last = new
        }
        sample.bytes = Double(bytes)
        return sample
      })
  }
}

import OpenWO
import OpenWOFiles
import SystemPackage

extension Verb {
  /// All of them.
  package static let all: [Verb] = making + writing + arriving + editing + keeping + recovering

  private static let making: [Verb] = [
    .command("init", "init") { try $0.makeDatabase() },
    .command("init --create", "init", "--create") { _ in },
    .command("migrate --from", "migrate", "--from", "LOCAL", live: ["first"]) { scene in
      try scene.sqlite3(Scene.schema, scene.local)
      scene.noteOutside("first")
    },
    .command(
      "migrate --from into a store", "migrate", "--from", "LOCAL", live: ["first", "local"]
    ) { scene in
      try scene.start()
      try scene.sqlite3(Scene.schema + Scene.editing("local") + ";", scene.local)
      scene.noteOutside("local")
    },
  ]

  private static let writing: [Verb] = [
    .app("commits", "write", "one", "two") { try $0.start() },
    .app("commits captured later", "write-later", "one", "two") { try $0.start() },
    .app("migrations", "upgrade", "one") { try $0.start() },
    .app("commit over a found edit", "write", "one") { scene in
      try scene.start()
      try scene.sqlite3(Scene.editing("edited"))
      scene.noteOutside("edited")
    },
  ]

  private static let arriving: [Verb] = [
    .command("sync captures an edit", "sync") { scene in
      try scene.start()
      try scene.sqlite3(Scene.editing("edited"))
      scene.noteOutside("edited")
    },
    .command("sync adopts", "sync") { scene in
      try scene.start()
      try scene.write("mac's", "mac")
      try scene.deliver("mac", "phone", live: false)
    },
    .command("sync notes what was delivered", "sync") { scene in
      try scene.start()
      try scene.write("mac's", "mac")
      try scene.deliver("mac", "phone")
    },
    .command("sync settles", "sync") { scene in
      try scene.start()
      try scene.write("phone's", "phone")
      try scene.write("mac's", "mac")
      try scene.deliver("mac", "phone", live: false)
    },
    .command("sync merges", "sync") { scene in
      try scene.start(.merge)
      try scene.write("phone's", "phone")
      try scene.write("mac's", "mac")
      try scene.deliver("mac", "phone", live: false)
    },
    .command("sync captures a conflicted copy", "sync") { scene in
      try scene.start()
      let before = scene.root.appending("before.sqlite")
      try scene.copy(scene.database, before)
      try scene.write("phone's")
      try scene.bringCopy(of: before)
    },
    .command("sync mends a torn file", "sync") { scene in
      try scene.start()
      try scene.write("phone's")
      try scene.tear()
    },
    .command("sync sets a foreign journal aside", "sync") { scene in
      try scene.start()
      try scene.bringForeignJournal()
    },
    .command("sync folds a write-ahead log", "sync") { scene in
      try scene.start()
      try scene.sqlite3("PRAGMA journal_mode=WAL; " + Scene.editing("edited"))
      scene.noteOutside("edited")
    },
  ]

  private static let editing: [Verb] = [
    .command("lock", "lock", "--note", "by hand") { try $0.start() },
    .command("lock over a found edit", "lock", "--note", "by hand") { scene in
      try scene.start()
      try scene.sqlite3(Scene.editing("edited"))
      scene.noteOutside("edited")
    },
    .command("unlock", "unlock", live: ["edited"]) { try $0.lockAndEdit() },
    .command("unlock --discard", "unlock", "--discard", live: ["first"], gone: ["edited"]) {
      try $0.lockAndEdit()
    },
    .command("unlock --force", "unlock", "--force", "LOCK") { scene in
      try scene.start()
      try scene.on("mac") {
        let lock = LockRequest(note: "elsewhere", outlivesProcess: true)
        scene.foreignLock = try $0.lock(lock).lock.id
      }
      try scene.deliver("mac", "phone", live: false)
    },
    .command(
      "edit", "edit", "--", "sqlite3", "{}", Scene.editing("edited"), live: ["edited"]
    ) { try $0.start() },
  ]

  private static let keeping: [Verb] = [
    .command("restore", "restore", "@~1", live: ["first"], gone: ["later"]) { scene in
      try scene.start()
      try scene.write("later")
    },
    .command("merge of a copy", "merge", live: ["phone's", "copied"]) { scene in
      try scene.start()
      let before = scene.root.appending("before.sqlite")
      try scene.copy(scene.database, before)
      try scene.write("phone's")
      try scene.bringCopy(of: before)
    },
    .app("first day", "first-day", "one", "two", prepare: { try $0.makeDatabase() }),
    .app("prune", "prune") { scene in
      try scene.start()
      for number in 0..<14 { try scene.write("kept-\(number)") }
      // A version that the other device does not have is kept.
      try scene.deliver("phone", "mac")
      try scene.on("mac") { _ in }
      try scene.deliver("mac", "phone", live: false)
      // Pruned versions take their states with them; the rows are in later ones.
    },
  ]

  private static let recovering: [Verb] = [
    .command("sync after a commit that was killed", "sync") { scene in
      try scene.start()
      try scene.killed(
        [scene.tools.writer, "write", scene.database.string, "one"], at: "unlink:1")
    },
    .command("sync after an adoption that was killed", "sync") { scene in
      try scene.start()
      try scene.write("mac's", "mac")
      try scene.deliver("mac", "phone", live: false)
      try scene.killed([scene.tools.openwo, "sync"], at: "fsync:2")
    },
    .app("commit after one that was killed", "write", "two") { scene in
      try scene.start()
      try scene.killed(
        [scene.tools.writer, "write", scene.database.string, "one"], at: "fsync:4")
    },
  ]
}

extension Scene {
  /// A conflict copy that was made from another file.
  func bringCopy(of before: FilePath) throws {
    try sqlite3(Self.editing("copied"), before)
    try copy(before, folder.appending("openwo.sync-conflict-20261120-101010-ABCDEFG.sqlite"))
    noteOutside("copied")
  }

  /// A file that a service has half written: one page of the version before.
  func tear() throws {
    let files = FileSystem()
    var bytes = try files.readSmall(database, limit: 1 << 24)
    let older = try on("mac") { _ in try files.readSmall(self.database(of: "mac"), limit: 1 << 24) }
    let half = min(bytes.count, older.count) / 2
    bytes.replaceSubrange(half..., with: older[half...] + bytes[min(older.count, bytes.count)...])
    try AtomicFile.write(bytes, to: database, fileSystem: files)
  }

  /// The journal of a transaction that was killed on another device, over another state of the database.
  func bringForeignJournal() throws {
    let other = root.appending("other.sqlite")
    try copy(database, other)
    try write("phone's")
    _ = try Child.run([
      "sqlite3", other.string,
      "PRAGMA cache_size=2; BEGIN; UPDATE filler SET b = randomblob(3000); UPDATE t SET pad = hex(randomblob(3000));",
      ".system kill -9 $PPID",
    ])
    let journal = other.removingLastComponent().appending("other.sqlite-journal")
    try copy(journal, folder.appending("openwo.sqlite-journal"))
  }

  func lockAndEdit() throws {
    try start()
    try on("phone") { _ = try $0.lock(LockRequest(note: "by hand", outlivesProcess: true)) }
    try sqlite3(Self.editing("edited"))
    noteOutside("edited")
  }
}

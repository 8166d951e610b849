import Testing

@testable import OpenWO

struct NameRecogniserTests {
  let recogniser = NameRecogniser(database: Array("workouts.sqlite".utf8))

  private func sibling(
    _ name: String, of database: String = "workouts.sqlite", beside others: [String] = []
  ) -> Sibling {
    let others = others.map { Array($0.utf8) }
    let (name, database) = (Array(name.utf8), Array(database.utf8))
    let found = NameRecogniser(database: database, others: others).sibling(name)
    if case .conflictedCopy = found {
      #expect(NameRecogniser.mayConcern(database)(name))
    }
    return found
  }

  private func copy(_ name: String, of database: String = "workouts.sqlite") throws -> ConflictName
  {
    guard case .conflictedCopy(let found) = sibling(name, of: database) else {
      throw NotACopy(name: name, sibling: sibling(name, of: database))
    }
    return found
  }

  struct NotACopy: Error {
    var name: String
    var sibling: Sibling
  }

  @Test(arguments: KnownName.documented + KnownName.alike)
  func `a name that a service makes is recognised`(row: KnownName) throws {
    let found = try copy(row.name)
    #expect(found.service == row.service)
    #expect(found.strength == row.strength)
    #expect(row.language == nil || found.language == row.language)
    #expect(row.date == nil || found.date == row.date)
    #expect(row.device == nil || found.device == row.device)
    #expect(found.isRemovable == (row.service != .resilio))
  }

  @Test(arguments: [
    "my.own.work.sqlite", "tréning №1.db", "no-extension", ".hidden.sqlite", "w.tar.gz",
  ])
  func `every form is recognised for other names of a database`(database: String) throws {
    let dot = database.lastIndex(of: ".") ?? database.endIndex
    for row in KnownName.documented {
      let mark = row.name.dropFirst("workouts".count)
      let name: String =
        if mark.hasPrefix(".sqlite") {
          "\(database)\(mark.dropFirst(".sqlite".count))"
        } else {
          "\(database[..<dot])\(mark.dropLast(".sqlite".count))\(database[dot...])"
        }
      let found = try copy(name, of: database)
      #expect(found.service == row.service, "\(name)")
      #expect(found.strength == row.strength, "\(name)")
    }
  }

  @Test(arguments: [
    "workouts (backup).sqlite", "workouts-backup.sqlite", "Copy of workouts.sqlite",
    "workouts.sqlite~", "workouts.sqlite.bak",
    ".bak.0.workouts.sqlite", "workouts.sqlite.sbak", "workouts (2026-11-21).sqlite",
    "workouts (backup 2026-11-21).sqlite", "workouts (sport 2026-11-21).sqlite",
    "workouts 2026-11-21.sqlite", "workouts2.sqlite", "workoutsconflict.sqlite", "workouts.db",
    "workouts", "other.sqlite", "other (conflicted copy 2026-11-21 004856).sqlite",
    "my workouts.sqlite",
    "workouts.sqlite.txt", "workouts 1.sqlite", "workouts 100.sqlite", "workouts (1000).sqlite",
    "workouts.sqlite.conflict",
    "workouts (a) (b).sqlite", "workouts.sqlite-Neo",
    ".sync_1a2b3c.db", "workouts.sqlite.", "workouts..sqlite",
  ])
  func `a name that a person or a tool chose is not a conflict copy`(name: String) {
    if case .conflictedCopy(let found) = sibling(name) { Issue.record("\(found)") }
  }

  @Test(arguments: [
    "workouts-backup2.sqlite", "workouts conflict notes.sqlite",
    "workouts conflict notes 2026-11-21.sqlite",
    "workouts (2).sqlite", "workouts.sync-conflict-20261399-003549-W42IXU7.sqlite",
    "workouts-2026-11-21.sqlite", "workouts copy.sqlite", "workouts copy 2.sqlite",
    "workouts - Copy.sqlite", "workouts - Copy (2).sqlite", "workouts – Kopie.sqlite",
    "workoutsのコピー.sqlite", "workouts copy (conflicted copy 2026-11-21 004856).sqlite",
  ])
  func `a name that a person may have chosen is weak`(name: String) throws {
    let isWord = name.contains("conflict") && !name.contains("copy")
    #expect(try copy(name).strength == (isWord ? .word : .weak))
  }

  @Test func `other letters of the same name in another unicode form still match`() throws {
    let composed = "caf\u{E9}.sqlite"
    let decomposed = "cafe\u{301}.sqlite"
    #expect(sibling(decomposed, of: composed) == .databaseTwin)
    #expect(sibling(composed, of: composed) == .database)
    let found = try copy(
      "cafe\u{301} (Co\u{301}pia em conflito de Ana 2026-11-21).sqlite", of: composed)
    #expect(found.language == "pt")
    // Korean letters in pieces, as some disks keep them.
    let pieces =
      "workouts (ANA\u{110B}\u{1174} \u{110E}\u{116E}\u{11BC}\u{1103}\u{1169}\u{11AF}\u{1103}"
      + "\u{116C}\u{11AB} \u{1109}\u{1161}\u{1107}\u{1169}\u{11AB} 2026-11-21).sqlite"
    #expect(try copy(pieces).language == "ko")
    #expect(sibling("WORKOUTS (1).sqlite") == .unrelated)
  }

  @Test func `names that are not text are compared byte by byte`() {
    let database: [UInt8] = Array("w".utf8) + [0xFF] + Array(".sqlite".utf8)
    let recogniser = NameRecogniser(database: database)
    func name(_ middle: UInt8, _ mark: String) -> [UInt8] {
      Array("w".utf8) + [middle] + Array("\(mark).sqlite".utf8)
    }
    let mark = ".sync-conflict-20261121-003549-W42IXU7"
    guard case .conflictedCopy(let found) = recogniser.sibling(name(0xFF, mark)) else {
      Issue.record("not recognised")
      return
    }
    #expect(found.service == .syncthing)
    #expect(recogniser.sibling(name(0xFE, mark)) == .unrelated)
    #expect(recogniser.sibling(database) == .database)
    let valid = NameRecogniser(database: Array("workouts.sqlite".utf8))
    #expect(
      valid.sibling(Array("workouts (".utf8) + [0xC3, 0x28] + Array(").sqlite".utf8)) == .unrelated)
  }

  @Test func `copies of copies are taken off layer by layer, at most five`() throws {
    let twice = try copy("workouts (conflicted copy 2026-11-21 004856) (1).sqlite")
    #expect(twice.service == .nextcloud && twice.strength == .strong && twice.layers == 2)
    let mixed = try copy("workouts.sync-conflict-20261121-003549-W42IXU7.sqlite.conflict1")
    #expect(mixed.service == .syncthing && mixed.layers == 2)
    let weakFirst = try copy("workouts (1) (Ana's conflicted copy 2026-11-21).sqlite")
    #expect(weakFirst.strength == .weak)
    #expect(try copy("workouts" + String(repeating: ".Conflict", count: 5) + ".sqlite").layers == 5)
    #expect(
      sibling("workouts" + String(repeating: ".Conflict", count: 6) + ".sqlite") == .unrelated)
    #expect(
      try copy("workouts (# Edit conflict 2026-11-21 ujbaa9C #) (# Name clash abcdef1 #).sqlite")
        .layers == 2)
  }

  @Test func `a database whose name looks like a copy is a store of its own`() throws {
    let others = ["workouts-Neo.sqlite", "workouts 2.sqlite"]
    #expect(sibling("workouts-Neo.sqlite", beside: others) == .otherStore)
    #expect(sibling("workouts 2.sqlite", beside: others) == .otherStore)
    #expect(
      sibling("workouts-Neo (conflicted copy 2026-11-21 004856).sqlite", beside: others)
        == .otherStore)
    #expect(sibling("workouts-Neo.sqlite-journal", beside: others) == .otherStore)
    #expect(sibling("workouts-Neo.sqlite.openwo", beside: others) == .otherStore)
    #expect(
      try copy("workouts-Neo (conflicted copy 2026-11-21 004856).sqlite", of: "workouts-Neo.sqlite")
        .layers == 1)
    #expect(sibling("workouts.sqlite", of: "workouts-Neo.sqlite") == .unrelated)
    guard case .conflictedCopy = sibling("workouts-Trinity.sqlite", beside: others) else {
      Issue.record("not recognised")
      return
    }
  }

  @Test func `journals of the database and of its copies are poison`() {
    for suffix in ["-journal", "-wal", "-shm", "-mj0A1B2C3D4"] {
      #expect(sibling("workouts.sqlite\(suffix)") == .journal(ofCopy: false))
    }
    #expect(
      sibling("workouts.sync-conflict-20261121-003549-W42IXU7.sqlite-journal")
        == .journal(ofCopy: true))
    #expect(sibling("workouts (1).sqlite-wal") == .journal(ofCopy: true))
    #expect(sibling("workouts.sqlite-journal.conflict1") == .journal(ofCopy: true))
    #expect(sibling("bare-journal", of: "bare") == .journal(ofCopy: false))
    #expect(
      sibling("bare.sync-conflict-20261121-003549-W42IXU7-journal", of: "bare")
        == .journal(ofCopy: true))
  }

  @Test func `the companion is distinguished from services' copies of it`() {
    #expect(sibling("workouts.sqlite.openwo") == .companion)
    for name in [
      "workouts.sqlite (conflicted copy 2026-11-21 004856).openwo", "workouts.sqlite 2.openwo",
      "workouts.sqlite.openwo (SFConflict ana@example.com 2026-11-21-00-35-49)",
    ] {
      guard case .companionDuplicate = sibling(name) else {
        Issue.record("\(name) is \(sibling(name))")
        continue
      }
    }
    guard case .conflictedCopy = sibling("store (1).json", of: "store.json") else {
      Issue.record("a duplicate of a companion's file")
      return
    }
  }

  @Test(arguments: [
    (".syncthing.workouts.sqlite.tmp", SyncService.syncthing),
    ("~syncthing~workouts.sqlite.tmp", .syncthing),
    (".stfolder", .syncthing), (".stversions", .syncthing),
    ("workouts.sqlite.bcf71ea1.partial", .rclone),
    (".unison.workouts.sqlite.0123456789abcdef0123456789abcdef.unison.tmp", .unison),
    (".workouts.sqlite.3MZAr7", .rsync), (".~tmp~", .rsync),
    (".workouts.sqlite.~1c845f75", .nextcloud),
    (".sync_1a2b3c.db", .nextcloud), (".sync_1a2b3c.db-wal", .nextcloud),
    (".owncloudsync.log", .nextcloud),
    ("workouts~5e3c.ffs_tmp", .freeFileSync), (".sync.ffs_db", .freeFileSync),
    ("sync.ffs_lock", .freeFileSync),
    ("workouts.sqlite.!sync", .resilio), (".dropbox.cache", .dropbox),
    (".tmp.driveupload", .googleDrive),
    (".getxfer.123.4.mega", .mega), ("@eaDir", .synology),
    ("workouts.sqlite.sb-1a2b3c4d-XyZ123", .system),
    (".DS_Store", .system), ("._workouts.sqlite", .system), (".~lock.workouts.sqlite#", .system),
    ("workouts.sqlite.crdownload", .system), (".fuse_hidden0000001200000001", .system),
  ])
  func `a name that is there for a while is temporary`(name: String, service: SyncService) {
    #expect(sibling(name) == .temporary(service))
  }

  @Test(arguments: [
    (".workouts.sqlite.icloud", SyncService.iCloudDrive),
    (".workouts 2.sqlite.icloud", .iCloudDrive),
    ("workouts.sqlite.nextcloud", .nextcloud), ("workouts.sqlite.owncloud", .nextcloud),
  ])
  func `a placeholder counts as a database that is not here`(name: String, service: SyncService) {
    #expect(sibling(name) == .placeholder(service))
    #expect(sibling(".other.sqlite.icloud") == .unrelated)
  }

  @Test func `backups are distinguished from our own staging files`() {
    #expect(sibling(".~openwo-0a1b2c3d.tmp") == .staging)
    #expect(sibling("workouts.sqlite~") == .backup(.rsync))
    #expect(sibling(".bak.0.workouts.sqlite") == .backup(.unison))
    #expect(sibling("Copy of workouts.sqlite") == .backup(.system))
  }
}

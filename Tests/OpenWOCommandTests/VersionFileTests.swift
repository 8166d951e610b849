import Testing

/// The files of versions are damaged, lost or not there yet, and what the commands say of it.
struct VersionFileTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db")
    for word in ["four", "five"] {
      try stage.text(
        #"sqlite3 diary.db "INSERT INTO exercise(name) VALUES('\#(word)')"; openwo sync -q"#)
    }
    return stage
  }

  @Test func `a damaged version file is restored from this device's copy`() throws {
    let stage = try stage()
    try stage.text(
      """
      f=$(ls diary.db.openwo/versions/*.full); size=$(stat -c %s $f)
      printf xxxxxxxx | dd of=$f bs=1 seek=$((size - 8)) conv=notrunc status=none
      """)
    let found = try stage.run("openwo doctor").text
    #expect(found.contains("is damaged; this device has kept it whole"))
    #expect(found.contains("next: openwo doctor --repair"))
    #expect(try stage.text("openwo doctor --repair").contains("put back 3 versions"))
    #expect(try stage.text("openwo doctor --restore-all").contains("3 of 3 versions"))
    #expect(try stage.text("openwo doctor --repair").contains("nothing of openwo's own"))
  }

  @Test func `if the folder of versions is gone, nothing counts as a change`() throws {
    let stage = try stage()
    try stage.text("rm -r diary.db.openwo/versions")
    #expect(try stage.text("openwo status").contains("are gone from the folder"))
    try stage.text("openwo sync -q")
    #expect(try stage.text("ls diary.db.openwo/versions | wc -l") == "3\n")
    #expect(try stage.text("openwo status").hasPrefix("diary.db is up to date"))
  }

  @Test
  func `a version whose base has not arrived is named until its device is forgotten`()
    throws
  {
    let stage = try stage()
    try stage.text(
      #"""
      rm diary.db.openwo/versions/$(ls diary.db.openwo/versions | sed -n 2p)
      sqlite3 diary.db "INSERT INTO exercise(name) VALUES('tablet')"
      """#)
    let sync = try stage.run("on tablet openwo sync")
    #expect(sync.status == 22)
    #expect(sync.remarkText.contains("a file that it rests on is not"))
    let status = try stage.text("on tablet openwo status")
    #expect(status.contains("a file that it rests on is not") && !status.contains("in conflict"))
    let doctor = try stage.run("on tablet openwo doctor").text
    #expect(doctor.contains("openwo devices --forget"))
    try stage.text("on tablet openwo devices --forget laptop")
    #expect(try stage.text("on tablet openwo sync").contains("is up to date"))
    #expect(try stage.text("on tablet openwo status").hasPrefix("diary.db is up to date"))
  }

  @Test func `a device whose file is lost is waited for until it is forgotten`()
    throws
  {
    let stage = try stage()
    let devices = try #require(stage.json("openwo devices --json")["devices"] as? [[String: Any]])
    let laptop = try #require(devices.first?["id"] as? String)
    try stage.text(
      #"""
      rm diary.db.openwo/versions/$(ls diary.db.openwo/versions | sed -n 2p)
      sqlite3 diary.db "INSERT INTO exercise(name) VALUES('tablet')"
      on tablet openwo sync -q || true
      rm diary.db.openwo/devices/\#(laptop).json
      """#)
    #expect(try stage.run("on tablet openwo sync").status == 22)
    #expect(try stage.run("on tablet openwo doctor").text.contains("--forget \(laptop)"))
    #expect(try stage.run("on tablet openwo devices --forget tablet").status == 64)
    #expect(
      try stage.text("on tablet openwo devices --forget \(laptop)").hasPrefix("forgot laptop ("))
    #expect(try stage.text("on tablet openwo sync").contains("is up to date"))
    #expect(try stage.text("on phone openwo sync").contains("is up to date"))
  }

  @Test func `no file is written that a service would take for a conflict copy`() throws {
    let stage = try stage()
    for name in ["diary 2.db", "diary (1).db", "diary-LAPTOP-4F2.db"] {
      let result = try stage.run("openwo show @~1 -o '\(name)'")
      #expect(result.status == 64)
      #expect(result.remarkText.contains("would be taken for a conflicted copy"))
    }
    try stage.text(
      "openwo show -q @~1 -o diary-recovered.db; openwo show -q @~1 -o '../diary 2.db'")
    #expect(try stage.text("openwo sync; openwo conflicts").contains("no conflicted copies"))
  }

  @Test func `a link in the database's place does not open the companion to others`() throws {
    let stage = try stage()
    let modes = "stat -c %a diary.db.openwo diary.db.openwo/store.json"
    let before = try stage.text(modes)
    try stage.text("rm diary.db; ln -s nowhere diary.db")
    try stage.run("openwo doctor --repair")
    #expect(try stage.text(modes) == before)
  }
}

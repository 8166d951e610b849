import Foundation
import Testing

/// A side that lost to a later writer is reported until somebody has looked at it or merged it.
struct SetAsideTests {
  /// Two devices in folders of their own wrote apart; what the phone wrote has arrived.
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      openwo init -q diary.db; on phone openwo sync -q; cp -r . ../Phone
      (cd ../Phone; on phone openwo edit -q -- sqlite3 {} "INSERT INTO exercise VALUES(3, 'Row');
        UPDATE session SET exercise = 2")
      openwo edit -q -- sqlite3 {} "INSERT INTO exercise VALUES(3, 'Dip')"
      cp -n ../Phone/diary.db.openwo/versions/* diary.db.openwo/versions
      """)
    return stage
  }

  @Test func `a side that was set aside is reported with device, counts and merge command`() throws
  {
    let stage = try stage()
    let sync = try stage.text("openwo sync")
    let told = /set aside ([0-9a-f]{12}) from phone, .*: exercise 1 added; session 1 changed/
    let loser = try #require(sync.firstMatch(of: told)?.1)
    #expect(sync.hasSuffix("next: openwo merge \(loser)\n"), "\(sync)")
    for _ in 1...2 {
      let status = try stage.text("openwo status")
      #expect(status.contains("diary.db is up to date"))
      #expect(status.contains("exercise 1 added; session 1 changed"), "\(status)")
      #expect(status.hasSuffix("next: openwo merge \(loser)\n"), "\(status)")
    }
    let document = try stage.json("openwo status --json")
    let side = try #require((document["setAside"] as? [[String: Any]])?.first)
    #expect(side["deviceName"] as? String == "phone")
    #expect((side["version"] as? String)?.hasPrefix(loser) == true)
    #expect((side["changes"] as? [[String: Any]])?.count == 2)
    let path = stage.folder.appending(path: "diary.db").path
    #expect(document["next"] as? String == "openwo merge \(path) \(loser)")
    try stage.text("openwo merge \(loser)")
    #expect(try !stage.text("openwo status").contains("set aside"))
    #expect(try stage.text("sqlite3 diary.db 'SELECT count(*) FROM exercise'") == "4\n")
  }

  @Test(arguments: ["openwo conflicts", "openwo conflicts show $(cat ../loser)"])
  func `a side that was set aside is no longer reported once somebody has looked`(look: String)
    throws
  {
    let stage = try stage()
    try stage.text("openwo sync -q; openwo conflicts --json; openwo conflicts -q")
    let status = try stage.text("openwo status | tee ../status; sed -n 's/.*merge //p' ../status")
    #expect(status.contains("set aside"), "\(status)")
    try stage.text("sed -n 's/.*merge //p' ../status > ../loser; \(look)")
    #expect(try !stage.text("openwo status").contains("set aside"))
    #expect(try stage.text("openwo conflicts").contains("not merged: "))
  }

  @Test func `the way back comes after the merge`() throws {
    let stage = try stage()
    let said = try stage.text("openwo sync -q; openwo conflicts")
    let merge = try #require(said.firstRange(of: "openwo merge "))
    let restore = try #require(said.firstRange(of: "openwo restore "))
    #expect(merge.lowerBound < restore.lowerBound, "\(said)")
  }
}

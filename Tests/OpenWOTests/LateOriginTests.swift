import OpenWOFiles
import OpenWOHistory
import Testing

@testable import OpenWO

/// A file that comes before its version, and is written to before that comes.
struct LateOriginTests {
  private func rig() throws -> Rig {
    let rig = try Rig()
    rig.settling = .merge
    try rig.start()
    // Each inserts a row with the same number, and the phone merges.
    try rig.write("phone", "phone's")
    try rig.write("mac", "mac's")
    try rig.deliver("mac", "phone", live: false)
    rig.clock.advance(milliseconds: 20_000)
    #expect(try rig.rows("phone").count == 3)
    // The file alone comes, and somebody writes into it.
    try rig.deliver("phone", "mac", companion: false)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("mac"))
    rig.clock.advance(milliseconds: 700_000)
    #expect(try rig.rows("mac").sorted() == ["by hand", "mac's", "one", "phone's"])
    return rig
  }

  private func expectOnce(_ rows: [String], _ rig: Rig) throws {
    for _ in 0..<2 {
      rig.clock.advance(milliseconds: 700_000)
      try rig.settle()
    }
    for device in rig.devices {
      #expect(try rig.rows(device).sorted() == rows.sorted(), "on \(device)")
    }
  }

  @Test func `rows of a version that comes after its file are there once`() throws {
    let rig = try rig()
    try expectOnce(["by hand", "mac's", "one", "phone's"], rig)
  }

  @Test func `also if both sides have gone on`() throws {
    let rig = try rig()
    try rig.write("mac", "mac's second")
    try rig.write("phone", "phone's second")
    try expectOnce(
      ["by hand", "mac's", "mac's second", "one", "phone's", "phone's second"], rig)
  }

  @Test func `what was deleted in the file stays deleted`() throws {
    let rig = try rig()
    try rig.on("mac") { store in
      try store.write { try $0.execute("DELETE FROM t WHERE v = 'phone''s'") }
    }
    try expectOnce(["by hand", "mac's", "one"], rig)
  }
}

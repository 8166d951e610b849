import OpenWOApp
import Testing

@testable import OpenWOWeb

/// Sides that a person picks, and names of versions.
struct ConflictTests {
  private func conflict(_ key: Int64, _ column: String?, _ side: MergeResult.Side = .ours)
    -> ConflictChoice
  {
    ConflictChoice(table: "t", key: [.integer(key)], column: column, side: side)
  }

  @Test func `picks are the places of an address, and the rest is as it was decided`() throws {
    let conflicts = [conflict(1, "a"), conflict(1, "b", .theirs), conflict(2, nil)]
    let mark = ConflictPicks.mark(of: conflicts)
    let picks = ConflictPicks(Fields("theirs=2&ours=1&head=h&mark=\(mark)"))
    let choices = try picks.choices(of: conflicts, head: "h")
    #expect(choices?.map(\.side) == [.ours, .ours, .theirs])
    #expect(picks.fields.map(\.1) == ["1", "2", "h", mark])
    #expect(try ConflictPicks(Fields("rule=cells")).choices(of: conflicts, head: "h") == nil)
  }

  @Test func `picks about another head or other conflicts are refused`() throws {
    let conflicts = [conflict(1, "a")]
    let mark = ConflictPicks.mark(of: conflicts)
    let picks = ConflictPicks(Fields("theirs=0&head=h&mark=\(mark)"))
    #expect(throws: StoreError.self) { try picks.choices(of: conflicts, head: "other") }
    #expect(throws: StoreError.self) {
      try picks.choices(of: conflicts + [conflict(2, "a")], head: "h")
    }
  }

  @Test func `a name is given, changed and taken away, and no other version loses it`() async throws
  {
    let stage = try Stage("CREATE TABLE t(a)", "INSERT INTO t VALUES(1)")
    let versions = try stage.open().history().map { "\($0.version.id)" }
    let answer = try await stage.change("pin", "version=\(versions[1])&name=+before+")
    #expect(answer.text == "/file/1/history?done=pin&name=before")
    let page = try await stage.ask(answer.text)
    #expect(page.text.contains("Named versions") && page.text.contains("called before now"))
    let other = try await stage.change("pin", "version=\(versions[0])&name=before")
    #expect(other.status == 422 && other.text.contains("another version has it"))
    let time = try await stage.change("pin", "version=\(versions[0])&name=yesterday")
    #expect(time.status == 422 && time.text.contains("means a time"))
    let renamed = try await stage.change("pin", "version=\(versions[1])&former=before&name=after")
    #expect(renamed.text.contains("done=rename"))
    #expect(try stage.open().history().flatMap(\.pins) == ["after"])
    let gone = try await stage.change("pin", "version=\(versions[1])&former=after")
    #expect(gone.text.contains("done=unpin"))
    #expect(try stage.open().history().flatMap(\.pins) == [])
  }
}

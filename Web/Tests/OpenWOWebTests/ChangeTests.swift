import HTTPTypes
import OpenWOApp
import SystemPackage
import Testing

@testable import OpenWOWeb

/// A person's actions on the page of a store.
struct ChangeTests {
  private func stage() throws -> Stage {
    try Stage(
      "CREATE TABLE exercise(id INTEGER PRIMARY KEY, name TEXT)",
      "INSERT INTO exercise VALUES(1, 'Squat'), (2, 'Row')",
      "DELETE FROM exercise WHERE id = 2", "UPDATE exercise SET name = 'Deep squat'")
  }

  /// The version `count` before the newest one.
  private func version(_ stage: Stage, before count: Int) throws -> String {
    "\(try stage.open().history()[count].version.id)"
  }

  @Test func `a deleted row is found, and comes back alone`() async throws {
    let stage = try stage()
    let found = try await stage.ask("/file/1/find?kind=deleted&q=row")
    let before = try version(stage, before: 2)
    #expect(found.text.contains("/file/1/restore?version=\(before)&amp;table=exercise&amp;key=2"))
    let preview = try await stage.ask("/file/1/restore?version=\(before)&table=exercise&key=2")
    #expect(preview.text.contains("+1 added") && preview.text.contains("Bring back"))
    let head = try stage.head()
    let answer = try await stage.change(
      "restore", "version=\(before)&table=exercise&key=2&head=\(head)")
    #expect(answer.status == 200)
    #expect(answer.text.hasPrefix("/file/1?done=restore-row&version="))
    #expect(try stage.texts("SELECT name FROM exercise ORDER BY id") == ["Deep squat", "Row"])
    // The page that follows offers the way back.
    let next = try await stage.ask(answer.text)
    #expect(next.text.contains("Brought back the row of exercise."))
    let undo = try await stage.change("restore", "version=\(head)&head=\(try stage.head())&undo=1")
    #expect(undo.status == 200)
    #expect(try stage.texts("SELECT name FROM exercise ORDER BY id") == ["Deep squat"])
  }

  @Test func `nothing is done that was decided on another version`() async throws {
    let stage = try stage()
    let old = try version(stage, before: 1)
    for (verb, body) in [
      ("restore", "version=\(try version(stage, before: 2))&head=\(old)"), ("lock", "head=\(old)"),
      ("merge", "version=\(try version(stage, before: 2))&head=\(old)"),
    ] {
      let answer = try await stage.change(verb, body)
      #expect(answer.status == 409, "\(verb)")
      #expect(answer.text.contains("Something newer came meanwhile"), "\(verb)")
      let without = try await stage.change(verb, "version=\(old)")
      #expect(without.status == 422, "\(verb) without a head")
    }
    #expect(try stage.texts("SELECT name FROM exercise") == ["Deep squat"])
    #expect(try stage.open().status().lock == nil)
  }

  @Test func `the lock is taken with a note, and ends with the edit kept or discarded`()
    async throws
  {
    let stage = try stage()
    let head = try stage.head()
    #expect(try await stage.change("lock", "head=\(head)&note=a+%3Cb%3E+note").status == 200)
    #expect(try stage.open().status().lock?.note == "a <b> note")
    let page = try await stage.ask("/file/1")
    #expect(
      page.text.contains("a &lt;b&gt; note") && page.text.contains("Unlock when you are done"))
    // A restore waits for the unlock, and says so.
    let restore = try await stage.change(
      "restore", "version=\(try version(stage, before: 2))&head=\(head)")
    #expect(restore.status == 409 && restore.text.contains("Locked for editing"))
    let unlock = try await stage.change("unlock", "head=\(head)")
    #expect(unlock.status == 200)
    #expect(try await stage.ask(unlock.text).text.contains("Unlocked. Nothing was edited."))
    #expect(try stage.open().status().lock == nil)
  }

  @Test func `a look at versions leaves the file free for a lock`() async throws {
    let stage = try stage()
    let (old, new) = (try version(stage, before: 2), try version(stage, before: 0))
    for page in [
      "history", "summary?version=\(new)", "find?q=row", "diff?from=\(old)&to=\(new)",
      "row?table=exercise&key=1", "history",
    ] {
      #expect(try await stage.ask("/file/1/\(page)").status == 200, "\(page)")
    }
    #expect(try await stage.change("lock", "head=\(try stage.head())").status == 200)
    #expect(try await stage.ask("/file/1/history").status == 200)
    #expect(try await stage.ask("/file/1").text.contains("Unlock when you are done"))
  }

  @Test func `two versions are compared row by row`() async throws {
    let stage = try stage()
    let (old, new) = (try version(stage, before: 2), try version(stage, before: 0))
    let page = try await stage.ask("/file/1/diff?from=\(old)&to=\(new)")
    #expect(page.text.contains("−1 deleted") && page.text.contains("~1 changed"))
    #expect(page.text.contains("<ins>Deep s</ins>") && page.text.contains("Bring back…"))
    let row = try await stage.ask("/file/1/row?table=exercise&key=1")
    #expect(row.text.contains("<del>S</del>") && row.text.contains("<ins>Deep s</ins>"))
  }

  @Test func `a version and the exports are downloaded under names of their own`() async throws {
    let stage = try stage()
    let version = try await stage.ask("/file/1/download?version=\(try version(stage, before: 2))")
    #expect(version.headers[.contentType] == "application/vnd.sqlite3")
    let json = try await stage.ask("/file/1/download?form=json")
    #expect(
      json.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"diary_export_20") == true
    )
    #expect(json.text == (try stage.open().exportJSON()))
    #expect(try await stage.ask("/file/1/download?form=sql").text.contains("Deep squat"))
    #expect(
      try await stage.ask("/file/1/download?form=csv&table=exercise").text.contains("1,Deep squat"))
  }

  @Test func `thousands of versions are shown by pages`() async throws {
    let stage = try stage()
    try stage.write(45) { "UPDATE exercise SET name = 'n\($0)'" }
    let first = try await stage.ask("/file/1/history")
    let count = try stage.open().history().count
    #expect(first.text.components(separatedBy: "<li>") == 40)
    #expect(first.text.contains("1 / \((count + 39) / 40)"))
    let last = try await stage.ask("/file/1/history?page=99")
    #expect(last.text.contains("Beginning"))
  }

  @Test func `both languages, by address, cookie and browser`() async throws {
    let stage = try stage()
    let asked = try await stage.ask("/file/1?lang=ja")
    #expect(asked.text.contains("<html lang=\"ja\">") && asked.text.contains("同期フォルダに保存されています。"))
    #expect(asked.headers[values: .setCookie].contains { $0.hasPrefix("openwo_lang=ja") })
    let kept = try await stage.ask("/", cookie: stage.site.gate.cookie + "; openwo_lang=ja")
    #expect(kept.text.contains("<h1>設定</h1>"))
  }

  @Test func `a store that cannot be opened says so, and the rest works`() async throws {
    let stage = try Stage()
    var options = stage.site.options
    options.files.append("/nowhere/at/all.sqlite")
    let site = Site(options)
    site.gate.port = 4711
    #expect(options.files.count == 2)
    let answer = StoreAnswer(
      site: site, voice: Voice(language: .en, now: .now),
      file: StoreFile(base: ["file", "2"], path: "/nowhere/at/all.sqlite", options)
    ).page([], Fields(""))
    #expect(answer.status == .ok)
  }
}

extension String {
  fileprivate func components(separatedBy mark: String) -> Int { split(separator: mark).count - 1 }
}

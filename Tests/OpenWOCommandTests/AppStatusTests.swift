import Foundation
import Testing

/// `status --lang`: every availability and every kind of error, by its real cause.
struct AppStatusTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.text("sqlite3 diary.db 'CREATE TABLE entry (id INTEGER PRIMARY KEY)'")
    try stage.text("openwo init diary.db")
    return stage
  }

  /// The output of `status --lang en --json`, whatever its exit status.
  private func state(_ stage: Stage, _ line: String) throws -> [String: String] {
    let result = try stage.run("export OPENWO_NETWORK=online; \(line)")
    let found = try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
    return found.compactMapValues { $0 as? String }
  }

  private let status = "openwo status diary.db --lang en --json"

  @Test func `a store in its folder is synced`() throws {
    let state = try state(stage(), status)
    #expect(state["availability"] == "available" && state["network"] == "online")
    #expect(state["status"] == "synced" && state["lastError"] == nil)
    #expect(state["lastLocalSaveAt"] != nil && state["lastCheckedAt"] != nil)
  }

  @Test func `without a network it is offline`() throws {
    let state = try state(stage(), "OPENWO_NETWORK=offline \(status)")
    #expect(state["network"] == "offline" && state["lastError"] == "networkUnavailable")
  }

  @Test func `a folder that is not there has no account`() throws {
    let stage = try stage()
    try stage.text("mv ../Training ../away && cd .. && mkdir Training")
    let state = try state(stage, "openwo status ../none/diary.db --lang en --json")
    #expect(state["availability"] == "noAccount" && state["status"] == "localOnly")
  }

  @Test func `a store that is gone from its folder is not authenticated`() throws {
    let stage = try stage()
    try stage.text("rm -r diary.db diary.db.openwo")
    let state = try state(stage, status)
    #expect(state["availability"] == "available" && state["lastError"] == "notAuthenticated")
  }

  @Test func `a folder that may not be written is restricted`() throws {
    let stage = try stage()
    try stage.text("chmod -R a+rX \"$STAGE\"; chmod 555 .; mkdir -m 777 ../nobody")
    // Root may write everywhere, so another user looks.
    let other =
      "if [ $(id -u) = 0 ]; then set -- setpriv --reuid=65534 --regid=65534 --clear-groups; fi;"
    let state = try state(
      stage, "\(other) \"$@\" env OPENWO_STATE_DIR=$STAGE/nobody OPENWO_NETWORK=online \(status)")
    #expect(state["availability"] == "restricted" && state["status"] == "localOnly")
  }

  @Test func `a damaged file is distinguished from one of a newer version`() throws {
    let stage = try stage()
    try stage.text("sed -i 's/\"format\" : 1/\"format\" : 99/' diary.db.openwo/store.json")
    #expect(try state(stage, status)["lastError"] == "newerVersion")
    try stage.text("sed -i 's/\"format\" : 99/\"format\" : 1/' diary.db.openwo/store.json")
    try stage.text("mv diary.db ../diary.db")
    #expect(try state(stage, status)["lastError"] == "missing")
    try stage.text("mv ../diary.db diary.db")
    try stage.text("printf garbage | dd of=diary.db conv=notrunc status=none")
    #expect(try state(stage, status)["lastError"] == "damaged")
  }

  /// A file system that is full by itself can be had by root on Linux only.
  static let canMount: Bool = {
    let line = "d=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d && rmdir $d"
    return (try? Stage().run(line).status) == 0
  }()

  @Test(.enabled(if: canMount)) func `a full folder has no quota left`() throws {
    let stage = try stage()
    try stage.text("mkdir ../full && mount -t tmpfs -o size=300k tmpfs ../full")
    defer { _ = try? stage.run("umount ../full") }
    try stage.text("cp -r . ../full/ && dd if=/dev/zero of=../full/fill bs=1k count=400; true")
    let line = "openwo status ../full/diary.db --lang"
    let state = try state(stage, "\(line) en --json")
    #expect(state["status"] == "error" && state["lastError"] == "quotaExceeded")
    #expect(
      try stage.run("OPENWO_NETWORK=online \(line) ja").text.hasPrefix(
        "フォルダ同期: 同期フォルダの空き容量不足\n同期フォルダの空き容量が不足しています。空き容量を増やしてから、もう一度お試しください。"))
  }

  @Test func `the words are there in Japanese, and in no language that is not`() throws {
    let stage = try stage()
    #expect(
      try stage.text("OPENWO_NETWORK=online openwo status --lang ja").hasPrefix(
        "フォルダ同期: 同期済み\n同期フォルダに保存されています。\n最終同期: "))
    try stage.expect(
      """
      $ openwo status --lang tlh
      ! openwo: error: there are no texts in 'tlh'
      ! openwo: hint: say it in English: openwo status --lang en
      [64]
      """)
  }
}

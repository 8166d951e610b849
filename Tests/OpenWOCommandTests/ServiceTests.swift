import Foundation
import Testing

/// `watch --install-service`.
struct ServiceTests {
  private func stage(_ name: String = "diary.db") throws -> Stage {
    let stage = try Stage()
    try stage.text("sqlite3 '\(name)' 'CREATE TABLE t(a)'; openwo init '\(name)'")
    return stage
  }

  @Test func `the service that is written watches this database with this state folder`() throws {
    let stage = try stage()
    let report = try stage.json("openwo watch diary.db --install-service --poll 5 --json")
    let file = try #require(report["file"] as? String)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let folder = stage.folder.path
    let programs = Stage.programs.resolvingSymlinksInPath().path
    #expect(
      text.contains(
        """
        "\(programs)/openwo" "watch" "\(folder)/diary.db" "--poll" "5" "--state-dir" \
        "\(stage.root.path)/state" "--device-name" "laptop"
        """) || text.contains("<string>\(folder)/diary.db</string>"), "\(text)")
    #expect((report["start"] as? String)?.contains("openwo-watch-diary.db-") == true)
  }

  @Test func `a person is told how to start the service and how to stop it`() throws {
    let lines = try stage().text("openwo watch --install-service").split(separator: "\n")
    #expect(lines.first == "wrote a service that watches diary.db")
    #expect(lines.dropFirst().map { $0.split(separator: " ")[0] } == ["file", "start", "stop"])
  }

  @Test func `two databases of one name have a service each`() throws {
    let stage = try stage()
    try stage.text("mkdir other; cp diary.db other; cd other; openwo init diary.db")
    let one = try stage.json("openwo watch diary.db --install-service --json")["file"]
    let other = try stage.json("openwo watch other/diary.db --install-service --json")["file"]
    #expect(one as? String != other as? String)
  }

  @Test func `characters with a meaning for the service manager are escaped in a path`() throws {
    let stage = try stage(#"50% "of" $all.db"#)
    let report = try stage.json("openwo watch --install-service --json")
    let text = try String(contentsOfFile: try #require(report["file"] as? String), encoding: .utf8)
    #expect(text.contains(#"/50%% \"of\" $$all.db""#) || text.contains(#"/50% "of" $all.db<"#))
  }

  @Test func `no service is written for a database that is not a store`() throws {
    let stage = try Stage()
    let result = try stage.run("openwo watch nothing.db --install-service")
    #expect(result.status == 10)
    try stage.text("test -z \"$(find $HOME -name '*openwo*')\"")
  }
}

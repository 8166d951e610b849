import Testing

/// Options in every place, and the variables that replace them.
struct OptionTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    return stage
  }

  @Test func `options may come before, between and after the words`() throws {
    let stage = try stage()
    let plain = try stage.text("openwo status diary.db --quiet")
    #expect(plain.isEmpty)
    for line in [
      "openwo --quiet status diary.db", "openwo status -q diary.db", "openwo -q status",
      "openwo status -q -- diary.db", "OPENWO_QUIET=1 openwo status",
      "OPENWO_QUIET=yes openwo status", "openwo restore -nq @", "openwo show -q -o ../a.db @",
      "openwo show @ -q --output=../b.db",
    ] {
      #expect(try stage.text(line).isEmpty, "\(line)")
    }
    #expect(!(try stage.text("OPENWO_QUIET=0 openwo status").isEmpty))
  }

  @Test func `a variable replaces each option`() throws {
    let stage = try stage()
    try stage.text("OPENWO_NOTE='by variable' OPENWO_FOR=2h openwo lock")
    let status = try stage.text("OPENWO_JSON=1 openwo status")
    #expect(status.contains("\"note\":\"by variable\""))
    #expect(!status.contains("\"until\":null"))
    #expect(try stage.text("OPENWO_DRY_RUN=1 openwo unlock").hasPrefix("would unlock"))
    try stage.text("openwo unlock")
    #expect(try stage.text("OPENWO_LIMIT=0 openwo history").split(separator: "\n").count == 1)
    #expect(try stage.run("openwo lock -q; OPENWO_CHECK=true openwo status -q").status == 3)
  }

  @Test func `a device has the name and the memory that it is given`() throws {
    let stage = try stage()
    try stage.text("openwo sync --state-dir ../state-phone --device-name phone")
    try stage.text("OPENWO_STATE_DIR=../state-tablet OPENWO_DEVICE_NAME=tablet openwo sync")
    try stage.text("env -u OPENWO_STATE_DIR XDG_STATE_HOME=$STAGE/xdg openwo sync --device-name x")
    try stage.text("env -u OPENWO_STATE_DIR openwo sync --device-name home")
    let devices = try stage.text("openwo devices")
    for name in ["laptop", "phone", "tablet", "x", "home"] {
      #expect(devices.contains(" \(name) "), "\(devices)")
    }
    try stage.text("test -d ../xdg/openwo/stores; test -d ../home/.local/state/openwo/stores")
  }
}

import OpenWO
import Testing

struct ExclusionTests {
  @Test func `a file of rules that is not there is written whole`() {
    let rules = Exclusion.of(.syncthing)
    #expect(rules.file == ".stignore")
    #expect(rules.contents(addingTo: nil) == "*-journal\n*-wal\n*-shm\n.~openwo-*.tmp\n")
    #expect(rules.isPerDevice)
  }

  @Test func `existing rules stay, and ours come first because the first rule counts`() {
    let old = "// mine\n!*.sqlite-journal\n*\n"
    let new = Exclusion.of(.syncthing).contents(addingTo: old)
    #expect(new == "*-journal\n*-wal\n*-shm\n.~openwo-*.tmp\n" + old)
  }

  @Test func `lines that are there already are not written again`() {
    let old = "*-journal\r\n  *-wal  \r\n.~openwo-*.tmp"
    #expect(Exclusion.of(.nextcloud).contents(addingTo: old) == "*-shm\r\n" + old)
    #expect(Exclusion.of(.nextcloud).contents(addingTo: "*-shm\n" + old) == nil)
  }

  @Test func `a byte order mark stays at the very beginning`() {
    let new = Exclusion.of(.seafile).contents(addingTo: "\u{FEFF}*.bak\n")
    #expect(new == "\u{FEFF}*-journal\n*-wal\n*-shm\n.~openwo-*.tmp\n*.bak\n")
  }

  @Test func `MEGA's last rule counts`() {
    let new = Exclusion.of(.mega).contents(addingTo: "+sync:.megaignore")
    #expect(new == "+sync:.megaignore\n-:*-journal\n-:*-wal\n-:*-shm\n-:.~openwo-*.tmp\n")
  }

  @Test(arguments: SyncService.allCases)
  func `every service gets a file or a sentence`(service: SyncService) {
    let rules = Exclusion.of(service)
    #expect(rules.service == service)
    #expect(rules.file != nil || !rules.advice.isEmpty)
    #expect(rules.file == nil || !rules.lines.isEmpty)
    #expect(!rules.advice.hasSuffix("."))
  }
}

import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// What an app can offer about a finding, and about a read of its own.
struct FindingRemedyTests {
  private let files = FileSystem()

  @Test func `a warning or an error has a remedy, whoever makes it`() {
    for severity in [Finding.Severity.warning, .error] {
      #expect(Finding(severity, "new", "something is wrong").remedies == [.tryAgain])
      let advised = Finding(severity, "new", "it is full", advice: Advice("", .freeSpace))
      #expect(advised.remedies == [.freeSpace])
    }
    #expect(Finding(.info, "new", "something is there").remedies == [])
    #expect(Finding(.ok, "new", "all is well").remedies == [])
  }

  @Test func `what doctor warns of has remedies that fit`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("mac", "two")
    try rig.deliver("mac", "phone", live: false)
    let companion = rig.companion("phone")
    try AtomicFile.write([1], to: companion.appending("notes.txt"), fileSystem: files)
    try AtomicFile.write([1], to: companion.appending("versions/strange"), fileSystem: files)
    rig.clock.setWall(rig.clock.now() - 86_400_000)
    let found = try SyncedDatabase.examine(
      path: rig.database("phone").string, configuration: rig.configuration("phone"))
    func remedies(_ code: String) -> Set<[Remedy]> {
      Set(found.filter { $0.code == code && $0.severity == .warning }.map(\.remedies))
    }
    #expect(remedies("foreignFile").contains([.waitForService, .correctCall]), "\(found)")
    #expect(remedies("clock") == [[.tryAgain]], "\(found)")
    for finding in found where finding.severity == .warning || finding.severity == .error {
      #expect(!finding.remedies.isEmpty, "\(finding)")
    }
  }

  @Test func `a read of this app does not ask to close other programs`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let store = try rig.open("mac")
    #expect(StoreError.readHere(store.core.paths).remedies == [.tryAgain])
    try store.close()
  }
}

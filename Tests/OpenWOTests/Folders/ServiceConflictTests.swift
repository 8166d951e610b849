import OpenWOFiles
import OpenWOHistory
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// Conflicts that the service keeps beside a file, not as a file with another name.
struct ServiceConflictTests {
  private let files = FileSystem()
  private let service = ScriptedFolder()

  private func open(_ rig: Rig) throws -> SyncedDatabase {
    var configuration = rig.configuration("phone")
    configuration.folderService = service
    return try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
  }

  /// Both devices have written apart, and the service keeps the mac's file as an unresolved conflict of the phone's.
  private func conflict(_ rig: Rig, isHere: Bool = true) throws -> FolderConflict {
    try rig.start()
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('mac')", rig.database("mac"))
    rig.clock.advance(milliseconds: 1_000)
    try rig.write("phone", "phone")
    let contents = rig.place.root.appending("conflict")
    try rig.copy(rig.database("mac"), contents)
    let status = try files.lstat(contents)
    let conflict = FolderConflict(contents: contents, modifiedAt: status.mtime, isHere: isHere)
    service.script.withLock { $0.conflicts[rig.database("phone")] = [conflict] }
    rig.clock.advance(milliseconds: 60_000)
    return conflict
  }

  private func contents(_ store: SyncedDatabase) throws -> Set<[String]> {
    Set(
      try store.history().map { entry in
        let found = try store.query("SELECT v FROM t ORDER BY id", at: .version(entry.version.id))
        return found.rows.map { row in
          if case .text(let text) = row[0] { text } else { "" }
        }
      })
  }

  @Test func `a conflict becomes a version, and only then it is resolved`() throws {
    let rig = try Rig()
    let conflict = try conflict(rig)
    let store = try open(rig)
    _ = try store.reconcile()
    #expect(try contents(store).isSuperset(of: [["one", "mac"], ["one", "phone"]]))
    #expect(service.script.withLock { $0.resolved } == [conflict])
    #expect(try !store.reconcile().outcome.isUnsettled)
    #expect(
      try files.list(rig.folder("phone")) { $0.string.contains("conflicted copy") }.isEmpty)
    try store.close()
  }

  @Test func `a conflict that was copied but not resolved is one version all the same`() throws {
    let rig = try Rig()
    let conflict = try conflict(rig)
    service.script.withLock { $0.losesResolving = true }
    let store = try? open(rig)
    _ = try? store?.reconcile()
    service.script.withLock { $0.losesResolving = false }
    let next = try open(rig)
    _ = try next.reconcile()
    let count = try next.history().count
    _ = try next.reconcile()
    #expect(service.script.withLock { $0.resolved } == [conflict])
    #expect(try next.history().count == count)
    #expect(try contents(next).isSuperset(of: [["one", "mac"], ["one", "phone"]]))
    try next.close()
    try? store?.close()
  }

  @Test func `a conflict that the service does not let be resolved stops nothing`() throws {
    let rig = try Rig()
    let conflict = try conflict(rig)
    let store = try open(rig)
    service.script.withLock { $0.losesResolving = true }
    _ = try store.reconcile()
    let count = try store.history().count
    #expect(try !store.reconcile().outcome.isUnsettled)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('more')") }
    #expect(try store.history().count == count + 1)
    #expect(
      try files.list(rig.folder("phone")) { $0.string.contains("conflicted copy") }.isEmpty)
    service.script.withLock { $0.losesResolving = false }
    _ = try store.reconcile()
    #expect(service.script.withLock { $0.resolved } == [conflict])
    try store.close()
  }

  @Test func `a service that does not answer is named, and nothing was changed`() throws {
    let rig = try Rig()
    _ = try conflict(rig)
    let store = try open(rig)
    service.script.withLock { $0.answers = false }
    let error = #expect(throws: StoreError.self) { try store.reconcile() }
    #expect(error?.code == .unavailable)
    service.script.withLock { $0.answers = true }
    #expect(try !store.reconcile().outcome.isUnsettled)
    try store.close()
  }

  @Test func `a conflict whose content is not here is waited for`() throws {
    let rig = try Rig()
    let conflict = try conflict(rig, isHere: false)
    let store = try open(rig)
    #expect(try store.reconcile().outcome.isUnsettled)
    #expect(service.script.withLock { $0.resolved } == [])
    let here = FolderConflict(
      contents: conflict.contents, modifiedAt: conflict.modifiedAt, isHere: true)
    service.script.withLock { $0.conflicts[rig.database("phone")] = [here] }
    #expect(try !store.reconcile().outcome.isUnsettled)
    #expect(service.script.withLock { $0.resolved } == [here])
    try store.close()
  }

  @Test func `under another device's lock a conflict stays with the service`() throws {
    let rig = try Rig()
    let conflict = try conflict(rig)
    let holder = try rig.open("mac")
    _ = try holder.lock()
    try rig.deliver("mac", "phone", live: false)
    let store = try open(rig)
    try store.lookOnce()
    #expect(service.script.withLock { $0.resolved } == [])
    #expect(
      try files.list(rig.folder("phone")) { $0.string.contains("conflicted copy") }.isEmpty)
    _ = try holder.unlock()
    try rig.deliver("mac", "phone", live: false)
    try files.unlink(lockFile(rig))
    rig.clock.advance(milliseconds: 60_000)
    _ = try store.reconcile()
    #expect(service.script.withLock { $0.resolved } == [conflict])
    try holder.close()
    try store.close()
  }

  private func lockFile(_ rig: Rig) throws -> FilePath {
    let locks = rig.companion("phone").appending("locks")
    return locks.appending(try #require(try files.list(locks).first))
  }
}

extension SyncOutcome {
  /// Whether something waits or is in the way.
  var isUnsettled: Bool {
    if case .unsettled = self { true } else { false }
  }
}

import OpenWO
import OpenWOFiles
import Synchronization
import SystemPackage
import Testing

/// A delivered version survives a power failure as soon as something is based on it, as a service
/// does not wait for the disk.
struct ArrivedVersionTests {
  /// Notes which files were made durable.
  private final class Durable: SystemCallObserver {
    private let paths = Mutex<Set<FilePath>>([])

    func willCall(_ call: SystemCall) throws(FileError) {}
    func didCall(_ call: SystemCall) {
      guard call.kind == .fsync, let path = call.path else { return }
      paths.withLock { _ = $0.insert(path) }
    }

    func holds(_ path: FilePath) -> Bool { paths.withLock { $0.contains(path) } }
  }

  /// The version files on the phone, and which of them were there before.
  private func versionFiles(_ rig: Rig) throws -> Set<FilePath> {
    let folder = rig.companion("phone").appending("versions")
    return Set(try FileSystem().list(folder).map { folder.appending($0) })
  }

  private func on(
    _ rig: Rig, watchedBy durable: Durable, _ body: (SyncedDatabase) throws -> Void
  ) throws {
    rig.clock.advance(milliseconds: 10_000)
    var configuration = rig.configuration("phone")
    configuration.files = FileSystem(observer: durable)
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    try body(store)
    try store.close()
  }

  /// The files of a version that the mac has written and a service has brought.
  private func arrival(_ rig: Rig, live: Bool) throws -> Set<FilePath> {
    try rig.start()
    let before = try versionFiles(rig)
    try rig.write("mac", "two")
    try rig.deliver("mac", "phone", live: live)
    return try versionFiles(rig).subtracting(before)
  }

  @Test(arguments: [false, true])
  func `a version of another device is durable once it is live`(isLiveDelivered: Bool) throws {
    let rig = try Rig()
    let arrived = try arrival(rig, live: isLiveDelivered)
    #expect(arrived.count == 1)
    let durable = Durable()
    try on(rig, watchedBy: durable) { _ = try $0.reconcile() }
    #expect(try rig.rows("phone") == ["one", "two"])
    for path in arrived {
      #expect(durable.holds(path))
      #expect(durable.holds(path.removingLastComponent()))
    }
  }

  @Test func `a file that was made durable is left alone by later writes`() throws {
    let rig = try Rig()
    let arrived = try arrival(rig, live: false)
    try on(rig, watchedBy: Durable()) { _ = try $0.reconcile() }
    let durable = Durable()
    try on(rig, watchedBy: durable) { store in
      _ = try store.write { try $0.execute("INSERT INTO t(v) VALUES('three')") }
    }
    for path in arrived { #expect(!durable.holds(path)) }
  }
}

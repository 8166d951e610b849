import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// The OS locks by which the processes of one machine keep out of each other's way.
struct SessionLockTests {
  private let place: Place
  private let device = DeviceIdentity(id: "a1b2c3d4e5f6", name: "mac", machine: "m")

  init() throws {
    place = try Place()
    for user in ["ann", "bob"] {
      let paths = paths(user)
      for folder in [paths.locks, paths.devices, paths.state(of: "s").root] {
        try FileSystem().makeDirectories(folder)
      }
    }
  }

  private func paths(_ user: String) -> StorePaths {
    StorePaths(database: place.database, stateRoot: place.root.appending("state-\(user)"))
  }

  /// A process of a user, who has a state folder for all of them.
  private func process(_ user: String = "ann") -> FileCoordinator {
    FileCoordinator(
      companion: Companion(paths: paths(user), store: "s", files: FileSystem()),
      state: paths(user).state(of: "s"), device: device, clock: place.clock)
  }

  @Test(arguments: ["ann", "bob"])
  func `exclusive access waits while another process has the file open`(user: String) throws {
    let (app, editor) = (process(), process(user))
    try app.enter()
    let refused = #expect(throws: StoreError.self) { try editor.alone(waitingUpTo: .zero) {} }
    #expect(refused?.code == .busy)
    app.leave()
    try editor.alone(waitingUpTo: .zero) {
      let refused = #expect(throws: StoreError.self) { try app.alone(waitingUpTo: .zero) {} }
      #expect(refused?.code == .busy)
    }
    try app.alone(waitingUpTo: .zero) {}
  }

  @Test func `two processes are inside at once`() throws {
    let (app, other, editor) = (process(), process(), process())
    try app.enter()
    try other.enter()
    for inside in [other, app] {
      #expect(throws: StoreError.self) { try editor.alone(waitingUpTo: .zero) {} }
      inside.leave()
    }
    try editor.alone(waitingUpTo: .zero) {}
  }

  @Test func `one process of a device writes at a time`() throws {
    let (app, other) = (process(), process())
    try app.beginWriting(waitingUpTo: .zero)
    let refused = #expect(throws: StoreError.self) { try other.asWriter(waitingUpTo: .zero) {} }
    #expect(refused?.code == .busy)
    // Within its own turn a process continues.
    try app.asWriter(waitingUpTo: .zero) {}
    #expect(throws: StoreError.self) { try other.beginWriting(waitingUpTo: .zero) }
    app.endWriting()
    try other.asWriter(waitingUpTo: .zero) {}
  }
}

extension FileCoordinator {
  /// Runs a body while no other process of this machine has the live file open.
  func alone<Result>(waitingUpTo: Duration, _ body: () throws -> Result) throws -> Result {
    let locks = try takeAlone(waitingUpTo: waitingUpTo)
    defer { for lock in locks { lock.release() } }
    return try body()
  }
}

import Foundation
import OpenWOFiles
import OpenWOTestSupport
import SystemPackage
import Testing

struct ProcessTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// The identity of a running process, by its number only.
  private func identity(_ pid: Int32) throws -> ProcessIdentity {
    try #require(ProcessIdentity(running: pid))
  }

  @Test func `this process is alive and known by more than its number`() throws {
    let current = ProcessIdentity.current
    #expect(current.pid == getpid())
    #expect(current.startTime > 0 && current.bootID.count == 36 && current.pidNamespace > 0)
    #expect(current.liveness == .alive)
    #expect(current == ProcessIdentity.current)
    #expect(try identity(getpid()) == current)
  }

  @Test func `an identity goes through JSON unchanged`() throws {
    let data = try JSONEncoder().encode(ProcessIdentity.current)
    #expect(try JSONDecoder().decode(ProcessIdentity.self, from: data) == .current)
  }

  @Test func `another process is alive while it runs and dead when it does not`() throws {
    let other = try OtherProcess("echo ready; read x")
    #expect(other.line() == "ready")
    let identity = try identity(other.pid)
    #expect(identity.liveness == .alive)
    other.kill()
    #expect(identity.liveness == .dead)
    #expect(ProcessIdentity(running: other.pid) == nil)
  }

  @Test func `a process that ended and was not waited for is dead`() throws {
    let parent = try OtherProcess("sh -c 'echo $$; read x <$0' $1 & exec cat", mkfifo("gate"))
    let pid = try #require(Int32(parent.line()))
    let identity = try identity(pid)
    #expect(identity.liveness == .alive)
    try OtherProcess("echo >$1", scratch("gate")).end()
    while identity.liveness == .alive { sched_yield() }
    #expect(kill(pid, 0) == 0)
    #expect(identity.liveness == .dead)
    parent.kill()
  }

  @Test func `a later process with the same number is not taken for the earlier one`() {
    var other = ProcessIdentity.current
    other.startTime -= 1
    #expect(other.liveness == .dead)
  }

  @Test func `a process of an earlier boot is dead, and one of another container is unknown`() {
    var earlier = ProcessIdentity.current
    earlier.bootID = "0"
    #expect(earlier.liveness == .dead)
    var elsewhere = ProcessIdentity.current
    elsewhere.pidNamespace += 1
    #expect(elsewhere.liveness == .unknown)
  }

  @Test func `holders of a lock are named, waiters and holders of other files are not`() throws {
    let path = try scratch.make("l")
    try scratch.make("m")
    let holder = try OtherProcess("exec 9<$1; flock 9; echo held; read x", path)
    #expect(holder.line() == "held")
    let waiter = try OtherProcess("exec 9<$1; echo $$; exec flock 9", path)
    #expect(Int32(waiter.line()) == waiter.pid)
    let holders = ProcessTable.holders(of: path, .flock)
    // The lock was taken by flock(1), which is gone: the kernel lists the number it had.
    #expect(holders.count == 1)
    #expect(!holders.contains { $0.pid == waiter.pid })
    #expect(ProcessTable.holders(of: scratch("m"), .flock).isEmpty)
    #expect(ProcessTable.holders(of: path, .posix).isEmpty)
    #expect(ProcessTable.holders(of: scratch("none"), .flock).isEmpty)
    waiter.kill()
    holder.end()
  }

  @Test func `the holder of our own lock is this process`() throws {
    let lock = try OSLock.acquire(
      .exclusive, on: .folder(scratch.path), clock: ManualClock(), fileSystem: FileSystem())
    let holders = ProcessTable.holders(of: scratch.path, .flock)
    #expect(holders.map(\.pid) == [getpid()])
    #expect(holders.first?.name.isEmpty == false)
    lock.release()
    #expect(ProcessTable.holders(of: scratch.path, .flock).isEmpty)
  }

  @Test func `the processes that have a file open are named`() throws {
    let path = try scratch.make("a")
    #expect(ProcessTable.openers(of: path).isEmpty)
    let own = try FileSystem().open(path, .readOnly)
    let other = try OtherProcess("exec 9<$1; echo ready; read x", path)
    #expect(other.line() == "ready")
    #expect(ProcessTable.openers(of: path) == [ProcessTable.Entry(pid: other.pid, name: "sh")])
    try FileSystem().close(own)
    other.end()
    #expect(ProcessTable.openers(of: path).isEmpty)
  }

  @Test func `machine and user have names`() throws {
    #expect(!Machine.hostName.isEmpty && !Machine.hostName.contains("\n"))
    let other = try OtherProcess("id -un; cat /etc/machine-id 2>&1; read x")
    #expect(Machine.userName == other.line())
    #expect(Machine.machineID.isEmpty || Machine.machineID == other.line())
    other.end()
  }

  @Test func `a file system is named as the kernel names it, and local ones are local`() throws {
    #expect(Machine.fileSystemName("/proc/self") == "proc")
    let other = try OtherProcess("stat -f -c %T $1", scratch.path)
    let name = Machine.fileSystemName(scratch.path)
    #expect(other.line().hasPrefix(name.prefix(3)))
    for path in ["/proc", "/sys", "/"] as [FilePath] {
      #expect(!Machine.isNetworkFileSystem(path))
    }
    #expect(!Machine.isNetworkFileSystem("/none"))
    #expect(Machine.fileSystemName("/none") == "")
  }

  private func mkfifo(_ name: String) throws -> FilePath {
    try #require(OtherProcess("mkfifo $1", scratch(name)).end() == 0)
    return scratch(name)
  }
}

import Foundation
import OpenWOFiles
import OpenWOTestSupport
import Synchronization
import SystemPackage
import Testing

struct FolderWatcherTests {
  let scratch: ScratchFolder
  let files = FileSystem()

  init() throws { scratch = try ScratchFolder() }

  /// Both ways of noticing must pass the same tests.
  enum Way: CaseIterable {
    case notified, polling
  }

  private func watcher(_ folders: FilePath..., by way: Way = .notified) throws -> FolderWatcher {
    try FolderWatcher(
      folders: folders, debounceMilliseconds: 0, polling: way == .polling ? 1 : nil)
  }

  /// The kernel's event is there when the call that caused it returns: no waiting is needed.
  private func event(_ watcher: FolderWatcher) -> FolderWatcher.Event {
    watcher.wait(timeoutMilliseconds: 0)
  }

  /// Takes what a change of several steps left behind.
  private func takeAll(_ watcher: FolderWatcher) {
    while event(watcher) == .changed {}
  }

  @Test func `the kernel tells of changes in a local folder`() throws {
    #expect(try watcher(scratch.path).mode == .notified)
    #expect(try watcher(scratch.path, by: .polling).mode == .polling(reason: "asked for"))
  }

  @Test(arguments: Way.allCases)
  func `each kind of change makes an event, and then there is none`(way: Way) throws {
    let path = try scratch.make("a", "old")
    let open = try files.open(path, .readWrite)
    let watcher = try watcher(scratch.path, by: way)
    #expect(event(watcher) == .timeout)
    let changes: [() throws -> Void] = [
      { try scratch.make("b") },
      { try files.rename(scratch("b"), to: scratch("c")) },
      { try files.unlink(scratch("c")) },
      { try Array("new".utf8).withUnsafeBytes { try files.pwrite(open, at: 0, $0) } },
      { try files.truncate(open, to: 1) },
      { try files.setTimes(path, modified: 1) },
      { try files.chmod(path, 0o640) },
      { try files.makeDirectory(scratch("d")) },
      { try files.removeDirectory(scratch("d")) },
    ]
    for change in changes {
      try change()
      #expect(event(watcher) == .changed)
      takeAll(watcher)
      #expect(event(watcher) == .timeout)
    }
  }

  @Test(arguments: Way.allCases)
  func `reading makes no event`(way: Way) throws {
    try scratch.make("a", "text")
    let watcher = try watcher(scratch.path, by: way)
    #expect(try scratch.text("a") == "text")
    #expect(try scratch.names() == ["a"])
    _ = try files.stat(scratch("a"))
    #expect(event(watcher) == .timeout)
  }

  @Test(arguments: Way.allCases)
  func `a folder that appears later is watched from then on`(way: Way) throws {
    let watcher = try watcher(scratch.path, scratch("x/y/z"), by: way)
    for name in ["x", "x/y", "x/y/z", "x/y/z/file"] {
      try files.makeDirectory(scratch(name))
      takeAll(watcher)
    }
    try scratch.make("x/y/z/new")
    #expect(event(watcher) == .changed)
  }

  @Test(arguments: Way.allCases)
  func `a missing folder in a busy place makes events only when it comes nearer`(way: Way) throws {
    let watcher = try watcher(scratch("x/y"), by: way)
    try scratch.make("noise")
    #expect(event(watcher) == .timeout)
    try files.makeDirectories(scratch("x/y"))
    #expect(event(watcher) == .changed)
    takeAll(watcher)
    try scratch.make("x/y/a")
    #expect(event(watcher) == .changed)
  }

  @Test(arguments: Way.allCases)
  func `a folder that is replaced, even with its parent, stays watched`(way: Way) throws {
    for replaced in ["x/y", "x"] {
      try files.makeDirectories(scratch("x/y"))
      let watcher = try watcher(scratch("x/y"), by: way)
      try files.rename(scratch(replaced), to: scratch("away-\(randomHex(bytes: 4))"))
      #expect(event(watcher) == .changed)
      takeAll(watcher)
      try files.makeDirectories(scratch("x/y"))
      #expect(event(watcher) == .changed)
      takeAll(watcher)
      try scratch.make("x/y/a")
      #expect(event(watcher) == .changed)
      takeAll(watcher)
      try files.unlink(scratch("x/y/a"))
    }
  }

  @Test(arguments: Way.allCases)
  func `a folder swapped for another at once is noticed at the next wait`(way: Way) throws {
    try files.makeDirectories(scratch("x/y"))
    try files.makeDirectories(scratch("other/y"))
    let watcher = try watcher(scratch("x/y"), by: way)
    try files.exchange(scratch("x"), scratch("other"))
    #expect(event(watcher) == .changed)
    takeAll(watcher)
    try scratch.make("other/y/a")
    #expect(event(watcher) == .timeout)
    try scratch.make("x/y/a")
    #expect(event(watcher) == .changed)
  }

  @Test func `more events than the kernel keeps are a change and not a loss`() throws {
    let paths = [try scratch.make("a"), try scratch.make("b")]
    let watcher = try watcher(scratch.path)
    let limit = try files.readSmall("/proc/sys/fs/inotify/max_queued_events", limit: 20)
    let most = try #require(Int(String(decoding: limit.dropLast(), as: UTF8.self)))
    for number in 0..<most + 10 { try files.setTimes(paths[number % 2], modified: Int64(number)) }
    #expect(event(watcher) == .changed)
    takeAll(watcher)
    try scratch.make("c")
    #expect(event(watcher) == .changed)
  }

  @Test func `a burst is one event, and its last state is not missed`() throws {
    let watcher = try FolderWatcher(folders: [scratch.path], debounceMilliseconds: 20)
    for number in 0..<1000 { try scratch.make("a", "\(number)") }
    #expect(watcher.wait() == .changed)
    #expect(watcher.wait(timeoutMilliseconds: 0) == .timeout)
  }

  @Test(arguments: Way.allCases)
  func `another thread ends the wait, before it or during it, and loses no change`(way: Way) throws
  {
    let watcher = try watcher(scratch.path, by: way)
    watcher.wake()
    watcher.wake()
    #expect(watcher.wait() == .woken)
    #expect(event(watcher) == .timeout)
    Thread { watcher.wake() }.start()
    #expect(watcher.wait() == .woken)
    Thread { [scratch] in _ = try? scratch.make("a") }.start()
    #expect(watcher.wait() == .changed)
  }

  @Test func `a change comes before the timeout and is not lost by a wake`() throws {
    let watcher = try watcher(scratch.path)
    try scratch.make("a")
    watcher.wake()
    #expect(watcher.wait() == .woken)
    #expect(event(watcher) == .changed)
  }

  @Test(arguments: [Errno.tooManyOpenFiles, .noSpace, .noFunction])
  func `if the kernel refuses, the folders are listed and the reason is reported`(errno: Errno)
    throws
  {
    let calls = Calls.failing(.watch, errno)
    let watcher = try FolderWatcher(
      folders: [scratch.path], debounceMilliseconds: 0, fallbackInterval: 1,
      fileSystem: FileSystem(observer: calls))
    guard case .polling(let reason) = watcher.mode else { throw errno }
    #expect(reason.hasPrefix("cannot watch \(scratch.path.printable): "))
    #expect(event(watcher) == .timeout)
    try scratch.make("a")
    #expect(watcher.wait() == .changed)
  }

  @Test func `a refusal that comes later is a change, and the folders are listed from then on`()
    throws
  {
    let isRefusing = Mutex(false)
    let calls = Calls { call, _ in
      call.kind == .watch && isRefusing.withLock { $0 } ? .noSpace : nil
    }
    let watcher = try FolderWatcher(
      folders: [scratch("x")], debounceMilliseconds: 0, fallbackInterval: 1,
      fileSystem: FileSystem(observer: calls))
    #expect(watcher.mode == .notified)
    isRefusing.withLock { $0 = true }
    try files.makeDirectory(scratch("x"))
    #expect(watcher.wait() == .changed)
    #expect(watcher.mode != .notified)
    try scratch.make("x/a")
    #expect(watcher.wait() == .changed)
  }
}

import OpenWOCFiles
package import SystemPackage

/// Facts of the kernel about running processes, for messages and for ``ProcessIdentity``.
package enum ProcessTable {
  /// A running process as the kernel lists it.
  struct State {
    var startTime: Int64
    var isZombie: Bool
  }

  /// A process as a message names it.
  package struct Entry: Sendable, Hashable {
    /// The number the kernel gave it.
    package var pid: Int32
    /// The program's short name, safe to print, or "" when it cannot be seen.
    package var name: String

    /// An entry of its parts.
    package init(pid: Int32, name: String) {
      self.pid = pid
      self.name = name
    }

    init(_ pid: Int32) { self.init(pid: pid, name: ProcessTable.name(of: pid)) }
  }

  /// A kind of lock that the kernel lists.
  package enum LockKind: String, Sendable {
    case flock = "FLOCK"
    /// The locks of fcntl(2), SQLite's among them.
    case posix = "POSIX"
  }

  /// The other processes of this user, for root of any, that have the file open.
  package static func openers(of path: FilePath) -> [Entry] {
    var pids = [pid_t](repeating: 0, count: 1024)
    let count = path.withPlatformString { openwo_openers($0, &pids, Int32(pids.count)) }
    return pids.prefix(max(0, Int(count))).filter { $0 > 0 && $0 != getpid() }.sorted()
      .map { Entry($0) }
  }
}

#if os(Linux)
  extension ProcessTable {
    /// The state of a process, or nil if it is not to be seen; proc(5), `/proc/PID/stat`.
    static func state(of pid: Int32) -> State? {
      guard let bytes = try? FileSystem().readSmall(folder(of: pid).appending("stat"), limit: 4096),
        let bracket = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { return nil }
      // After the name in brackets, which may hold anything: field 3 is the state, 22 the start.
      let fields = bytes[(bracket + 1)...].split(separator: UInt8(ascii: " "))
      guard fields.count > 19, let start = Int64(String(decoding: fields[19], as: UTF8.self)) else {
        return nil
      }
      return State(startTime: start, isZombie: "ZX".utf8.contains(fields[0].first ?? 0))
    }

    /// The number of our pid namespace; 0 when the kernel has none.
    static var namespace: UInt64 { (try? FileSystem().stat("/proc/self/ns/pid").inode) ?? 0 }

    /// The short name of a process, safe to print, or "" when it cannot be seen.
    package static func name(of pid: Int32) -> String {
      Machine.lines(of: folder(of: pid).appending("comm")).first.map { String(printable: $0) } ?? ""
    }

    /// The processes that hold such a lock on the file or folder; proc_locks(5).
    ///
    /// Locks of other containers are not visible.
    package static func holders(
      of path: FilePath, _ kind: LockKind, fileSystem: FileSystem = FileSystem()
    ) -> [Entry] {
      guard let status = try? fileSystem.stat(path) else { return [] }
      let locks = Machine.lines(of: "/proc/locks").compactMap { ListedLock($0) }
        .filter { $0.kind == kind.rawValue && $0.inode == status.inode && $0.pid > 0 }
      // Some file systems list another device number than stat(2) gives: then the inode must do.
      let exact = locks.filter { $0.device == status.device }
      return Set((exact.isEmpty ? locks : exact).map(\.pid)).sorted().map { Entry($0) }
    }

    /// Whether another process of this user was started with a variable of the environment.
    package static func isRunning(withVariable name: String, _ value: String) -> Bool {
      let quiet = FileSystem()
      let wanted = Array("\(name)=\(value)".utf8)
      let pids = ((try? quiet.list("/proc")) ?? []).compactMap { Int32($0.string) }
      return pids.contains { pid in
        let path = folder(of: pid).appending("environ")
        guard pid != getpid(), let bytes = try? quiet.readSmall(path, limit: 1 << 20) else {
          return false
        }
        return bytes.split(separator: 0).contains { $0.elementsEqual(wanted) }
      }
    }

    private static func folder(of pid: Int32) -> FilePath { FilePath("/proc/\(pid)") }
  }

  /// One line of `/proc/locks`, such as `3: FLOCK  ADVISORY  WRITE 412 fe:00:2131 0 EOF`.
  private struct ListedLock {
    var kind: String
    var pid: Int32
    var device: UInt64
    var inode: UInt64

    /// Nil for a line of another form, and for one who waits: the arrow shifts the fields.
    init?(_ line: [UInt8].SubSequence) {
      let fields = line.split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard fields.count > 5, let pid = Int32(fields[4]) else { return nil }
      let place = fields[5].split(separator: ":")
      guard place.count == 3, let major = UInt64(place[0], radix: 16),
        let minor = UInt64(place[1], radix: 16), let inode = UInt64(place[2])
      else { return nil }
      kind = fields[1]
      self.pid = pid
      // As makedev(3) packs them.
      device =
        (major & ~0xfff) << 32 | (major & 0xfff) << 8 | (minor & ~0xff) << 12 | (minor & 0xff)
      self.inode = inode
    }
  }
#else
  extension ProcessTable {
    static func state(of pid: Int32) -> State? {
      let start = openwo_process_start(pid)
      return start == 0 ? nil : State(startTime: start, isZombie: false)
    }

    static var namespace: UInt64 { 0 }

    /// The short name of a process, safe to print, or "" when it cannot be seen.
    package static func name(of pid: Int32) -> String {
      Machine.text { openwo_process_name(pid, $0, $1) == 0 ? 0 : -1 } ?? ""
    }

    /// The processes that hold such a lock; none, as this system does not tell.
    package static func holders(
      of path: FilePath, _ kind: LockKind, fileSystem: FileSystem = FileSystem()
    ) -> [Entry] { [] }

    /// Whether another process was started with a variable; this system does not tell.
    package static func isRunning(withVariable name: String, _ value: String) -> Bool { false }
  }
#endif

import OpenWOCFiles
import SystemPackage

/// What the kernel tells about running processes.
enum ProcessTable {
  /// A running process as the kernel lists it.
  struct State {
    var startTime: Int64
    var isZombie: Bool
  }

  #if os(Linux)
    /// The state of a process, or nil when it is not to be seen; proc(5), `/proc/PID/stat`.
    static func state(of pid: Int32) -> State? {
      guard let bytes = try? FileSystem().readSmall(FilePath("/proc/\(pid)/stat"), limit: 4096),
        let close = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { return nil }
      // After the name in brackets, which may hold anything: field 3 is the state, 22 the start.
      let fields = bytes[(close + 1)...].split(separator: UInt8(ascii: " "))
      guard fields.count > 19, let start = Int64(String(decoding: fields[19], as: UTF8.self)) else {
        return nil
      }
      return State(startTime: start, isZombie: "ZX".utf8.contains(fields[0].first ?? 0))
    }

    /// The number of our pid namespace; 0 when the kernel has none.
    static var namespace: UInt64 { (try? FileSystem().stat("/proc/self/ns/pid").inode) ?? 0 }
  #else
    static func state(of pid: Int32) -> State? {
      let start = openwo_process_start(pid)
      return start == 0 ? nil : State(startTime: start, isZombie: false)
    }

    static var namespace: UInt64 { 0 }
  #endif
}

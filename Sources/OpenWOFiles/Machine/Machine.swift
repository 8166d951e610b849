import OpenWOCFiles
package import SystemPackage

/// The machine and the user this process runs for.
package enum Machine {
  /// The host's name, or "" when it has none.
  package static var hostName: String { text { gethostname($0, $1) } ?? "" }

  /// The login name of the process's user, or its number if it has no name.
  package static var userName: String {
    let number = String(getuid())
    // Read by hand: getpwuid(3) loads name services, which a static binary cannot.
    for line in lines(of: "/etc/passwd") {
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      if fields.count > 2, fields[2].elementsEqual(number.utf8) {
        return String(printable: fields[0])
      }
    }
    return environment("USER") ?? environment("LOGNAME") ?? number
  }

  /// An id that stays with this installation of the system, or "" if there is none.
  package static var machineID: String {
    line(of: "/etc/machine-id") ?? line(of: "/var/lib/dbus/machine-id")
      ?? text { openwo_machine_id($0, $1) } ?? ""
  }

  /// An id that changes with every boot, or "" if there is none.
  package static var bootID: String {
    line(of: "/proc/sys/kernel/random/boot_id") ?? text { openwo_boot_id($0, $1) } ?? ""
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(printable: String(cString: value).utf8)
  }

  static func lines(of path: FilePath) -> [[UInt8].SubSequence] {
    let bytes = (try? FileSystem().readSmall(path, limit: 1 << 20)) ?? []
    return bytes.split(separator: UInt8(ascii: "\n"))
  }

  private static func line(of path: FilePath) -> String? {
    lines(of: path).first.map { String(printable: $0) }
  }

  static func text(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
    let size = 1024
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      buffer.initialize(repeating: 0)
      guard read(start, size - 1) == 0 else { return nil }
      return String(printable: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }
  }
}

/// File systems.
extension Machine {
  /// The kernel's name for the file system of a path, such as `ext4` or `fuse.sshfs`, or "".
  package static func fileSystemName(_ path: FilePath) -> String {
    mountedName(path) ?? fileSystem(of: path).name
  }

  /// Whether files there can change without this kernel seeing it, as on a file server.
  ///
  /// So too every FUSE file system but those on a disk of this machine (`fuseblk`).
  package static func isNetworkFileSystem(_ path: FilePath) -> Bool {
    let (name, isRemote) = fileSystem(of: path)
    return isRemote && !(name == "fuse" && mountedName(path) == "fuseblk")
  }

  private static func fileSystem(of path: FilePath) -> (name: String, isRemote: Bool) {
    var isRemote: Int32 = 0
    let name = text { buffer, size in
      path.withPlatformString { openwo_file_system($0, buffer, size, &isRemote) }
    }
    return (name ?? "", isRemote != 0)
  }

  /// The type of the mount that holds the path; proc(5), `/proc/PID/mountinfo`.
  private static func mountedName(_ path: FilePath) -> String? {
    guard let path = try? FileSystem().realpath(path) else { return nil }
    var best: (depth: Int, name: String)?
    for line in lines(of: "/proc/self/mountinfo") {
      let fields = line.split(separator: UInt8(ascii: " "))
      guard let dash = fields.firstIndex(where: { $0.elementsEqual("-".utf8) }),
        fields.indices.contains(dash + 1), fields.count > 4
      else { continue }
      let point = FilePath(bytes: unescaped(fields[4]))
      // Of two mounts at one point the later one is on top.
      if path.starts(with: point), point.components.count >= best?.depth ?? 0 {
        best = (point.components.count, String(printable: fields[dash + 1]))
      }
    }
    return best?.name
  }

  /// Blank, tab, newline and backslash are written as a backslash and three octal digits.
  private static func unescaped(_ field: [UInt8].SubSequence) -> [UInt8] {
    var result: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        result.append(value)
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}

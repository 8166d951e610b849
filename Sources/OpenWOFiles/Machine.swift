import OpenWOCFiles
import SystemPackage

/// The machine and the user this process runs for.
package enum Machine {
  /// The host's name, or "" when it has none.
  package static var hostName: String {
    text { gethostname($0, $1) }
  }

  /// An id that stays with this installation of the system, or "" where there is none.
  package static var machineID: String {
    line(of: "/etc/machine-id") ?? line(of: "/var/lib/dbus/machine-id")
      ?? text { openwo_machine_id($0, $1) }
  }

  /// An id that changes with every boot, or "" where there is none.
  package static var bootID: String {
    line(of: "/proc/sys/kernel/random/boot_id") ?? text { openwo_boot_id($0, $1) }
  }

  private static func line(of path: FilePath) -> String? {
    guard let bytes = try? FileSystem().readSmall(path, limit: 4096) else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : openWOPrintable(Array(line))
  }

  private static func text(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 1025)
    let result = buffer.withUnsafeMutableBufferPointer { memory in
      memory.baseAddress.map { read($0, memory.count - 1) } ?? -1
    }
    guard result == 0 else { return "" }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return openWOPrintable(bytes)
  }
}

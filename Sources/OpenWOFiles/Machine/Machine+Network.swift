import SystemPackage

extension Machine {
  /// Whether packets have a route out of this machine; nil if the system has no file that says so.
  ///
  /// See proc_net(5): a default route has the destination 0 and the flag RTF_UP.
  package static var hasDefaultRoute: Bool? {
    let four = lines(of: "/proc/net/route")
    let six = lines(of: "/proc/net/ipv6_route")
    guard !four.isEmpty || !six.isEmpty else { return nil }
    return four.dropFirst().contains(where: isDefault(inFour:))
      || six.contains(where: isDefault(inSix:))
  }

  private static func isDefault(inFour line: [UInt8].SubSequence) -> Bool {
    let fields = words(line)
    guard fields.count > 7, let flags = Int(fields[3], radix: 16) else { return false }
    return fields[1] == "00000000" && fields[7] == "00000000" && flags & 1 == 1
  }

  private static func isDefault(inSix line: [UInt8].SubSequence) -> Bool {
    let fields = words(line)
    guard fields.count > 9, let flags = Int(fields[8], radix: 16) else { return false }
    // The kernel keeps an unreachable default route on the loopback device.
    return fields[0].allSatisfy { $0 == "0" } && fields[1] == "00" && flags & 1 == 1
      && fields[9] != "lo"
  }

  private static func words(_ line: [UInt8].SubSequence) -> [String] {
    line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

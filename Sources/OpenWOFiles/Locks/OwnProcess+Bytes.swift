import SystemPackage

extension OwnProcess {
  /// The number of bytes that this process has read and written since it started; nil if the system
  /// does not say.
  ///
  /// See proc(5) on `/proc/[pid]/io`; files that are mapped are not counted, and SQLite maps none here.
  package static var bytesMoved: Int64? {
    #if os(Linux)
      guard let bytes = try? FileSystem().readSmall("/proc/self/io", limit: 4096) else {
        return nil
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      let counts = lines.compactMap { line -> Int64? in
        let words = line.split(separator: " ")
        guard words.count == 2, ["rchar:", "wchar:"].contains(words[0]) else { return nil }
        return Int64(words[1])
      }
      return counts.count == 2 ? counts[0] + counts[1] : nil
    #else
      return nil
    #endif
  }
}

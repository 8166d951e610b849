import OpenWOCSQLite

/// Carries a Swift closure that hands out a database's bytes through the guard's C callback.
final class OutsideContent {
  private let size: Int64
  private let read: (Int64, UnsafeMutableRawBufferPointer) throws -> Int

  init(size: Int64, read: @escaping (Int64, UnsafeMutableRawBufferPointer) throws -> Int) {
    self.size = size
    self.read = read
  }

  /// The content for the guard; valid as long as this object.
  var content: openwo_content {
    openwo_content(
      context: Unmanaged.passUnretained(self).toOpaque(),
      read: { context, buffer, count, offset in
        guard let context, let buffer else { return 1 }
        let content = Unmanaged<OutsideContent>.fromOpaque(context).takeUnretainedValue()
        let wanted = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        guard let found = try? content.read(offset, wanted) else { return 1 }
        return found == wanted.count ? 0 : 1
      }, size: size)
  }
}

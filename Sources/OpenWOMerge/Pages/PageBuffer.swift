/// Page-aligned memory of a fixed size.
final class PageBuffer {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: 4096)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }

  var readable: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }
}

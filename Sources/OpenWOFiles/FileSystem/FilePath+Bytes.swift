import OpenWOCFiles
package import SystemPackage

extension FilePath {
  /// The path of these bytes, up to the first NUL.
  package init(bytes: some Collection<UInt8>) {
    self.init(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
  }

  /// The path's bytes, without the closing NUL.
  package var bytes: [UInt8] {
    withPlatformString { text in
      UnsafeBufferPointer(start: text, count: length).map { UInt8(bitPattern: $0) }
    }
  }

  /// The path for people, safe to print.
  package var printable: String { String(printable: bytes) }
}

extension FilePath.Component {
  /// The name's bytes, without the closing NUL.
  package var bytes: [UInt8] {
    withPlatformString { text in
      UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
    }
  }

  /// The name for people, safe to print.
  package var printable: String { String(printable: bytes) }
}

import OpenWOFiles
import SystemPackage

/// The names of files that have not been downloaded: `.NAME.icloud`.
enum Placeholder {
  private static let suffix = Array(".icloud".utf8)

  /// The placeholder of a file.
  static func path(of file: FilePath) -> FilePath {
    let name = [UInt8(ascii: ".")] + (file.lastComponent?.bytes ?? []) + suffix
    return file.removingLastComponent().pushing(FilePath(bytes: name))
  }

  /// The name of the file that a placeholder is for; nil if it is none.
  static func name(in name: FilePath.Component) -> FilePath.Component? {
    let bytes = name.bytes
    guard bytes.first == UInt8(ascii: "."), bytes.count > suffix.count + 1,
      bytes.suffix(suffix.count) == suffix[...]
    else { return nil }
    return FilePath(bytes: bytes.dropFirst().dropLast(suffix.count)).lastComponent
  }
}

extension FilePath {
  /// The path with a mark in its name before the extension.
  func marked(_ mark: [UInt8]) -> FilePath {
    let name = lastComponent?.bytes ?? []
    let at = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let end = at == name.startIndex ? name.endIndex : at
    return removingLastComponent().pushing(FilePath(bytes: name[..<end] + mark + name[end...]))
  }
}

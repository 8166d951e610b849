import OpenWOFiles
import SystemPackage

/// Names in several Unicode forms: services and disks change one into the other, and people see one name.
extension FilePath.Component {
  /// Whether both are one name to people, and two to the disk.
  func isTwin(of other: FilePath.Component) -> Bool {
    guard bytes != other.bytes, let text = String(validating: bytes, as: UTF8.self),
      let otherText = String(validating: other.bytes, as: UTF8.self)
    else { return false }
    // Swift compares by canonical equivalence: <https://www.unicode.org/reports/tr15/>.
    return text == otherText
  }
}

extension FilePath {
  /// The files beside the path whose names are other Unicode forms of its name, in order; a name in
  /// ASCII has none.
  func twins(_ files: FileSystem) throws(FileError) -> [FilePath] {
    guard let name = lastComponent, name.bytes.contains(where: { $0 >= 0x80 }) else { return [] }
    let folder = removingLastComponent()
    return try files.list(folder) { $0.isTwin(of: name) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map { folder.appending($0) }
  }

  /// The path of a database in the Unicode form that its store has there, or else the file.
  func inFormThatStands(_ files: FileSystem) throws(FileError) -> FilePath {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return self }
    let suffix = Array(".openwo".utf8)
    let companion = FilePath(bytes: bytes + suffix)
    guard try files.statusIfPresent(companion) == nil else { return self }
    if let other = try companion.twins(files).first {
      return FilePath(bytes: other.bytes.dropLast(suffix.count))
    }
    guard try files.statusIfPresent(self) == nil else { return self }
    return try twins(files).first ?? self
  }
}

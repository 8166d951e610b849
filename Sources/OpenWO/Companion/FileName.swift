import OpenWOFiles
package import SystemPackage

/// A file's name as bytes.
///
/// It is compared as bytes and printed escaped.
public struct FileName: Sendable, Hashable, Comparable, CustomStringConvertible {
  let component: FilePath.Component

  /// The name of a file in a folder.
  package init(_ component: FilePath.Component) {
    self.component = component
  }

  /// The name, with control characters and invalid UTF-8 escaped.
  public var description: String { component.printable }

  /// Orders names by their bytes.
  public static func < (a: FileName, b: FileName) -> Bool {
    a.component.bytes.lexicographicallyPrecedes(b.component.bytes)
  }
}

import OpenWOFiles
package import SystemPackage

/// A file's name as bytes: compared as bytes, printed escaped, never taken apart as text.
public struct FileName: Sendable, Hashable, Comparable, CustomStringConvertible {
  let component: FilePath.Component

  /// The name of a file in a folder.
  package init(_ component: FilePath.Component) {
    self.component = component
  }

  /// The name with control characters and bytes that are no UTF-8 escaped.
  public var description: String { component.printable }

  /// Orders names as their bytes.
  public static func < (a: FileName, b: FileName) -> Bool {
    a.component.bytes.lexicographicallyPrecedes(b.component.bytes)
  }
}

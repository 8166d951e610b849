package import SystemPackage

/// A name in a folder, cheap as long as it is text.
package struct FolderName: Sendable {
  /// The name as text; one that is no UTF-8 has other characters in it.
  package let text: String
  /// The name, if it is no UTF-8.
  private let raw: FilePath.Component?

  /// Nil for the folder itself and the one above.
  init?(_ name: UnsafePointer<CChar>) {
    if let text = String(validatingCString: name) {
      if text == "." || text == ".." { return nil }
      (self.text, raw) = (text, nil)
    } else {
      guard let raw = FilePath.Component(platformString: name) else { return nil }
      (text, self.raw) = (raw.string, raw)
    }
  }

  /// The path of the file that has the name in a folder.
  package func path(in folder: FilePath) -> FilePath {
    if let raw { return folder.appending(raw) }
    return folder.appending(text)
  }
}

package import SystemPackage

extension Machine {
  /// Where a program keeps its state in a home folder, when no variable says otherwise.
  package static func stateFolder(inHome home: FilePath) -> FilePath {
    #if os(Linux)
      home.appending(FilePath(".local/state/openwo").components)
    #else
      home.appending(FilePath("Library/Application Support/openwo").components)
    #endif
  }
}

package import SystemPackage

extension Machine {
  /// Where programs keep their users' data in a home folder, when no variable says otherwise.
  package static func dataFolder(inHome home: FilePath) -> FilePath {
    #if os(Linux)
      home.appending(FilePath(".local/share").components)
    #else
      home.appending(FilePath("Library/Application Support").components)
    #endif
  }

  /// The default folder for a program's state in a home folder.
  package static func stateFolder(inHome home: FilePath) -> FilePath {
    #if os(Linux)
      home.appending(FilePath(".local/state/openwo").components)
    #else
      home.appending(FilePath("Library/Application Support/openwo").components)
    #endif
  }
}

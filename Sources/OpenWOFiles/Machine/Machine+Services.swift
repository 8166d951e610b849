package import SystemPackage

/// Who starts a user's programs in the background, and keeps them running.
package enum ServiceManager: Sendable, Hashable {
  /// systemd, with units in `~/.config/systemd/user`.
  case systemd
  /// launchd, with agents in `~/Library/LaunchAgents`.
  case launchd
}

extension Machine {
  /// The service manager that this system's users have.
  package static var serviceManager: ServiceManager {
    #if os(Linux)
      .systemd
    #else
      .launchd
    #endif
  }

  /// The path of the running program as it was called, without resolving links, whose targets may
  /// change with an update.
  ///
  /// Nil if it was called by a bare name that is no longer in the search path.
  package static func ownProgram(
    calledAs name: FilePath, searchPath: [FilePath], files: FileSystem
  ) -> FilePath? {
    if name.isAbsolute { return name }
    let isBare = name.removingLastComponent().isEmpty
    for folder in isBare ? searchPath.filter(\.isAbsolute) : ["."] {
      let path = folder.pushing(name)
      guard let whole = try? files.realpath(path), (try? files.lstat(whole))?.kind == .regular
      else { continue }
      guard let resolved = try? files.realpath(folder) else { continue }
      return resolved.pushing(name).lexicallyNormalized()
    }
    return nil
  }
}

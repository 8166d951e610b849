import Foundation
import OpenWOFiles
package import SystemPackage

/// The programs that a campaign plays with.
package struct Tools: Sendable {
  /// The folder with `openwo` and `openwo-crash`.
  package let programs: FilePath
  /// The library that records or fails calls.
  package let shim: FilePath

  /// Builds the shim, with the compiler that comes with Swift.
  package init(programs: FilePath, source: FilePath, in folder: FilePath) throws {
    self.programs = programs
    shim = folder.appending("shim.so")
    let words = ["-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", shim.string]
    let built = try Child.run(["clang"] + words + [source.string, "-ldl"])
    guard built.end == .exited(0) else { throw Failure("cannot build the shim: \(built.output)") }
  }

  var openwo: String { programs.appending("openwo").string }
  var writer: String { programs.appending("openwo-crash").string }
}

/// A folder that is removed with the last reference; in memory if possible.
package final class Temporary: Sendable {
  package let path: FilePath

  package init() throws {
    let files = FileSystem()
    let top: FilePath = try files.statusIfPresent("/dev/shm") == nil ? "/tmp" : "/dev/shm"
    path = try files.realpath(top).appending("openwo-crash-\(randomHex(bytes: 8))")
    try files.makeDirectories(path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }
}

import OpenWOFiles
import OpenWOHistory
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// This device's state folder of a store, found under every id that the store has had.
///
/// Devices that begin apart make a store each, and one of the ids stays. The device of the other id
/// keeps its state folder: its pending versions, its record and its locks are the same under both
/// ids, for every process that has the store open.
struct StateFolder {
  let paths: StorePaths
  let files: FileSystem

  /// The places of a store's state, links followed.
  func resolve(_ store: String) throws -> StatePaths {
    let found = paths.state(of: store)
    guard try files.statusIfPresent(found.root)?.kind == .symlink else { return found }
    return StatePaths(root: try files.realpath(found.root))
  }

  /// Whether two ids are of one store, as far as this device knows.
  func isOne(_ store: String, _ other: String) throws -> Bool {
    if store == other { return true }
    for id in [store, other] where try files.statusIfPresent(paths.state(of: id).root) == nil {
      return false
    }
    return try files.realpath(paths.state(of: store).root)
      == files.realpath(paths.state(of: other).root)
  }

  /// Adds an id of a store that this device knows by another one; an id that is already known keeps
  /// its meaning.
  func add(_ store: String, for known: StatePaths) throws {
    guard let name = known.root.lastComponent else { return }
    do throws(FileError) {
      try files.linkName(paths.state(of: store).root, to: name)
    } catch {
      guard error.isTaken else { throw error }
    }
  }

  /// Finds the state of a store that this device has begun under another id, the first time that it meets this one.
  ///
  /// Its published versions must be in the companion; otherwise the store there is another
  /// account's.
  func adopt(_ store: String) throws {
    guard try files.statusIfPresent(paths.state(of: store).root) == nil else { return }
    let known = try others()
    guard !known.isEmpty else { return }
    let graph = try Archive(folders: [paths.versions], fileSystem: files).scan(reusing: .empty)
      .graph
    let begun = Set(Beginnings(graph).versions.compactMap { StoreManifest(of: $0)?.store })
    let own = known.filter {
      begun.contains($0.name) || lastLive($0.state).map(graph.contains) ?? false
    }
    guard let latest = own.max(by: { age($0.state) < age($1.state) }) else { return }
    try add(store, for: latest.state)
  }

  /// The states that this device has, without those that are found under several ids.
  private func others() throws -> [(name: String, state: StatePaths)] {
    do throws(FileError) {
      let names = try files.list(paths.stores)
      return names.compactMap { name in
        let state = StatePaths(root: paths.stores.appending(name))
        guard (try? files.lstat(state.root).kind) == .directory else { return nil }
        return (name.string, state)
      }
    } catch {
      guard error.isMissing else { throw error }
      return []
    }
  }

  /// The version that the live file was a copy of, whenever that was noted.
  private func lastLive(_ state: StatePaths) -> VersionID? {
    Baseline.lastVersion(state.root, files)
  }

  private func age(_ state: StatePaths) -> Int64 { (try? files.lstat(state.record).mtime) ?? 0 }
}

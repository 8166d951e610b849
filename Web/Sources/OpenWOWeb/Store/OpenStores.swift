import OpenWOApp
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Stores that were opened for a look, kept for the next one: a long history is listed once and not for each page.
///
/// Two looks at one time have a store each, so nobody waits for a long comparison of somebody else.
final class OpenStores: Sendable {
  private struct Kept {
    var mark: String
    var stores: [SyncedDatabase] = []
  }

  /// The most that wait for a look, of one database.
  private static let most = 4
  private let kept = Mutex<[String: Kept]>([:])

  /// A store for as long as this is held.
  final class Lease: Sendable {
    let store: SyncedDatabase
    private let giveBack: @Sendable (SyncedDatabase) -> Void

    fileprivate init(
      _ store: SyncedDatabase, _ giveBack: @escaping @Sendable (SyncedDatabase) -> Void
    ) {
      (self.store, self.giveBack) = (store, giveBack)
    }

    /// A store of its own, which nobody gets after this.
    static func once(_ file: StoreFile) throws -> Lease {
      let store = try SyncedDatabase(path: file.database, configuration: file.configuration)
      return Lease(store) { _ in }
    }

    deinit { giveBack(store) }
  }

  /// A store that nobody has, or a new one.
  func lease(_ file: StoreFile) throws -> Lease {
    let name = file.base.joined(separator: "/")
    let mark = Self.mark(file.database)
    let found = kept.withLock { kept -> SyncedDatabase? in
      // Another store in its place, or none, is looked at from the beginning.
      if kept[name]?.mark != mark { kept[name] = nil }
      return mark == nil ? nil : kept[name]?.stores.popLast()
    }
    let store =
      try found ?? SyncedDatabase(path: file.database, configuration: file.configuration)
    return Lease(store) { [weak self] in self?.take($0, name, mark) }
  }

  private func take(_ store: SyncedDatabase, _ name: String, _ mark: String?) {
    guard let mark else { return }
    kept.withLock { kept in
      if kept[name]?.mark != mark { kept[name] = Kept(mark: mark) }
      guard (kept[name]?.stores.count ?? 0) < Self.most else { return }
      kept[name]?.stores.append(store)
    }
  }

  /// What shows that it is the same store, with the same locks; nil if there is none.
  ///
  /// An open store knows of its own device's lock what it has done itself.
  private static func mark(_ database: String) -> String? {
    let companion = database + ".openwo"
    guard let manifest = mark(of: companion + "/store.json"),
      FileManager.default.fileExists(atPath: database)
    else { return nil }
    return "\(manifest) \(mark(of: companion + "/locks") ?? "")"
  }

  private static func mark(of path: String) -> String? {
    guard let found = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    let time = (found[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    return "\(time) \(found[.size] ?? "") \(found[.systemFileNumber] ?? "")"
  }
}

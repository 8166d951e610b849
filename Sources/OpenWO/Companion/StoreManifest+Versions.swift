import OpenWOFiles
import OpenWOHistory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The manifests that the first versions of stores carry.
extension StoreManifest {
  /// Reads the manifest that a store's first version carries; nil if it carries none.
  init?(of version: Version) {
    guard let text = version.manifest,
      let found = try? JSONDecoder().decode(StoreManifest.self, from: Data(text.utf8)),
      found.format >= 1, Self.isID(found.store)
    else { return nil }
    self = found
  }

  /// Whether two versions began stores of one app and environment; unknown values count as equal.
  static func areOfOneKind(_ one: Version, _ other: Version) -> Bool {
    guard let one = StoreManifest(of: one), let other = StoreManifest(of: other) else {
      return true
    }
    return (one.app, one.environment) == (other.app, other.environment)
  }
}

extension VersionGraph {
  /// The ids of the stores that versions began as, as far as these say.
  func stores(of versions: [Version]) -> [String] {
    let beginnings = Beginnings(self)
    let found = versions.flatMap { beginnings.of($0.id) }
    return Set(found.compactMap { StoreManifest(of: $0)?.store }).sorted()
  }
}

import OpenWOFiles

/// `store.json`: what a store is; written once by `init` and never changed.
package struct StoreManifest: Sendable, Hashable, Codable {
  static let currentFormat = 1

  var format: Int
  /// Random, 32 hexadecimal digits.
  var store: String
  /// The app this database belongs to, such as `org.example.openwo`; may be empty.
  var app: String
  /// `production` or a name of the app's choosing: stores of different environments never mix.
  var environment: String
  /// The live file's name.
  var database: String
  var created: Timestamp
  /// How two sides become one, where `init` was asked to say so; a word that a newer openwo invented counts as none.
  var policy: String?
  /// The merge rules by table; unknown words count as with `policy`.
  var rules: [String: String]?
  /// What was said about tables that their definitions do not say.
  var declarations: [MergeDeclaration]?
}

extension StoreManifest {
  /// Reads the manifest of the store at a path.
  ///
  /// - Throws: `noStore`, `newerFormat`, and `otherStore` when it belongs to another app or environment.
  static func load(_ paths: StorePaths, _ configuration: Configuration) throws -> StoreManifest {
    let found = try StoreError.wrapping(paths) {
      let files = configuration.files.refusingLinks(at: paths.ownFolders)
      for folder in paths.ownFolders { try files.refuseLinks(on: folder) }
      do {
        return try CompanionFile.read(StoreManifest.self, at: paths.manifest, configuration.files)
      } catch is DecodingError {
        if try isNewer(paths, configuration) { throw tooNew(paths) }
        throw StoreError.unreadableManifest(paths)
      }
    }
    if found == nil, try configuration.files.statusIfPresent(paths.versions) != nil {
      throw StoreError.lostManifest(paths)
    }
    guard let manifest = found, manifest.format >= 1 else {
      if found == nil, let lost = try LostStore.find(paths, configuration) { throw lost.error }
      throw StoreError.noStore(behind: paths.link, paths, configuration.files)
    }
    guard manifest.format <= currentFormat else { throw tooNew(paths) }
    guard isID(manifest.store) else { throw StoreError.noStore(paths) }
    let wanted = (configuration.app, configuration.environment)
    if !wanted.0.isEmpty && !manifest.app.isEmpty
      && wanted != (manifest.app, manifest.environment)
    {
      throw StoreError(
        .otherStore,
        "\(paths.name) is a store of \(manifest.app) "
          + "(\(manifest.environment)), not of \(wanted.0) (\(wanted.1)); nothing was changed",
        advice: paths.next("see what it is", .lookAgain))
    }
    return manifest
  }

  /// The fields that every format has.
  private struct AnyFormat: Decodable {
    var format: Int
  }

  /// Whether what cannot be read is of a later format.
  private static func isNewer(_ paths: StorePaths, _ configuration: Configuration) throws -> Bool {
    do {
      let found = try CompanionFile.read(AnyFormat.self, at: paths.manifest, configuration.files)
      return found.map { $0.format > currentFormat } ?? false
    } catch is DecodingError {
      return false
    }
  }

  private static func tooNew(_ paths: StorePaths) -> StoreError {
    StoreError(
      .newerFormat,
      "the store at \(paths.name) was made by a newer openwo; nothing was changed",
      advice: paths.next("update openwo, then try again", .update))
  }

  static func isID(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

import OpenWOFiles
public import SystemPackage

/// A sign that a service syncs a folder.
public struct ServiceSign: Sendable, Hashable {
  /// The service.
  public var service: SyncService
  /// The root of the synced tree: the folder that contains the sign.
  public var root: FilePath
  /// The file, folder or part of the path that shows it.
  public var sign: String
}

extension ServiceSign {
  /// Finds the signs in a folder and in those above it; rclone and rsync leave none.
  ///
  /// - Parameters:
  ///   - folder: The database's folder, absolute and resolved.
  ///   - names: Returns the names in a folder; none if it cannot be read.
  /// - Returns: One sign for each service, the nearest first.
  public static func all(
    around folder: FilePath, names: (FilePath) -> [FilePath.Component]
  ) -> [ServiceSign] {
    var found: [ServiceSign] = []
    var place = folder
    while !place.components.isEmpty {
      for sign in names(place).compactMap({ marker($0, in: place) }) + provider(place)
      where !found.contains(where: { $0.service == sign.service }) {
        found.append(sign)
      }
      guard place.removeLastComponent() else { break }
    }
    return found
  }

  private static func marker(_ name: FilePath.Component, in place: FilePath) -> ServiceSign? {
    let bytes = name.bytes
    let service = markers.first {
      $0.globs.contains { ForeignNames.matches(bytes, Array($0.utf8)) }
    }
    return service.map { ServiceSign(service: $0.service, root: place, sign: name.string) }
  }

  /// The files that services leave in the root of a synced folder, without those that a single copy
  /// may leave.
  private static let markers: [(service: SyncService, globs: [String])] = [
    (.syncthing, [".stfolder", ".stignore", ".stversions", ".syncthing.*.tmp"]),
    (
      .nextcloud,
      [
        ".sync_????????????.db", "._sync_????????????.db", ".sync_journal.db", ".csync_journal.db",
        ".owncloudsync.log", ".nextcloudsync.log", ".sync-exclude.lst",
      ]
    ),
    (.dropbox, [".dropbox", ".dropbox.cache"]),
    (.maestral, [".maestral", ".maestral.cache", ".mignore"]),
    (.unison, [".unison.*.unison.tmp"]),
    (.rclone, ["RCLONE_TEST", "*.????????.partial"]),
    (.resilio, [".SyncID", ".SyncArchive", ".sync"]),
    (.freeFileSync, [".sync.ffs_db", "sync.ffs_lock"]),
    (.seafile, ["seafile-ignore.txt"]),
    (.mega, [".megaignore", ".debris"]),
    (.googleDrive, [".tmp.driveupload", ".tmp.drivedownload", ".shortcut-targets-by-id"]),
    (.synology, [".SynologyWorkingDirectory"]),
  ]

  /// macOS keeps the folders of its file providers in one place, named for the provider.
  private static func provider(_ place: FilePath) -> [ServiceSign] {
    let names = place.components.map(\.string)
    guard let name = names.last, names.count > 1 else { return [] }
    let parent = names[names.count - 2]
    if name == "Mobile Documents" && parent == "Library" {
      return [ServiceSign(service: .iCloudDrive, root: place, sign: "Library/Mobile Documents")]
    }
    guard parent == "CloudStorage" else { return [] }
    return providers.filter { name.hasPrefix($0.prefix) }.map {
      ServiceSign(service: $0.service, root: place, sign: "Library/CloudStorage/\(name)")
    }
  }

  private static let providers: [(prefix: String, service: SyncService)] = [
    ("Dropbox", .dropbox), ("GoogleDrive", .googleDrive), ("OneDrive", .oneDrive), ("Box", .box),
    ("ProtonDrive", .proton), ("Nextcloud", .nextcloud), ("pCloud", .pCloud), ("Mega", .mega),
    ("SynologyDrive", .synology), ("Tresorit", .tresorit),
  ]
}

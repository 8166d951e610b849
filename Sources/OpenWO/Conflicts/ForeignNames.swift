/// Names that services and programs use for a while or for themselves: never a database, never a copy of one.
enum ForeignNames {
  /// A whole name, with `*` for anything and `?` for one byte.
  struct Pattern: Sendable {
    var service: SyncService
    var glob: [UInt8]
  }

  /// The staging files of openwo.
  static let staging = Array(".~openwo-*.tmp".utf8)

  /// Temporary files and state, by the service whose they are.
  static let temporary: [Pattern] = [
    (
      SyncService.syncthing,
      [".syncthing.*", "~syncthing~*", ".stfolder", ".stversions", ".stignore"]
    ),
    (.rclone, ["*.????????.partial"]),
    (.oneDriveLinux, ["*.partial"]),
    (.unison, [".unison.*"]),
    (.rsync, [".~tmp~", ".rsync-partial"]),
    (
      .nextcloud,
      [
        ".*.~*", ".sync_*.db*", "._sync_*.db*", ".csync_journal.db*", ".owncloudsync.log*",
        ".nextcloudsync.log*", ".sync-exclude.lst",
      ]
    ),
    (.freeFileSync, ["*.ffs_tmp", "*.ffs_lock", ".sync.ffs_*"]),
    (.seafile, ["seafile-ignore.txt"]),
    (
      .resilio,
      [
        "*.!sync", "*.rsls*", ".sync", "*.SyncPart", "*.SyncTemp", "*.SyncOld", ".SyncID",
        ".SyncArchive",
      ]
    ),
    (.dropbox, [".dropbox*"]),
    (.maestral, [".maestral*", ".mignore"]),
    (.googleDrive, [".tmp.driveupload", ".tmp.drivedownload", ".shortcut-targets-by-id"]),
    (.mega, [".getxfer.*", ".debris", ".megaignore"]),
    (.iCloudDrive, ["(A Document Being Saved*", ".DocumentRevisions-V100"]),
    (.synology, [".SynologyWorkingDirectory", "@eaDir", "@tmp", "#recycle", "*.SYNOPPSDB"]),
    (
      .system,
      [
        "*.sb-????????-??????", ".DS_Store", "Thumbs.db", "desktop.ini", "Icon\r", "._*", "~$*",
        ".~lock.*", ".fuse_hidden*", ".nfs*", "*.part", "*.filepart", "*.crdownload", "*.download",
        "*.tmp", "*.swp",
      ]
    ),
  ].flatMap { service, globs in globs.map { Pattern(service: service, glob: Array($0.utf8)) } }

  /// The texts that services put around the name of a file that has not been downloaded.
  static let placeholders: [(service: SyncService, before: String, after: String)] = [
    (.iCloudDrive, ".", ".icloud"),
    (.iCloudDrive, ".", "-tef.icloud"),
    (.nextcloud, "", ".nextcloud"),
    (.nextcloud, "", ".owncloud"),
  ]

  /// The texts that people and tools put before the name of their own copy.
  static let backupPrefixes: [(service: SyncService, before: String)] = [
    (.unison, ".bak.0."), (.unison, ".bak.1."), (.unison, ".bak.2."), (.unison, ".bak.3."),
    (.system, "Copy of "), (.system, "Copy (2) of "), (.system, "Kopie von "),
    (.system, "Copie de "), (.system, "Copia de "), (.system, "Copia di "), (.system, "Cópia de "),
    (.system, "Kopia "), (.system, "Kopi av "),
  ]

  /// The suffixes that SQLite adds to a database's name: journal, write-ahead log, shared memory.
  static let journalSuffixes = ["-journal", "-wal", "-shm"]

  /// Whether a name matches a pattern with `*` and `?`, in time linear in the name for one `*`.
  static func matches(_ name: [UInt8], _ glob: [UInt8]) -> Bool {
    var (at, next) = (0, 0)
    var star: (at: Int, next: Int)?
    while at < name.count {
      if next < glob.count, glob[next] == UInt8(ascii: "*") {
        star = (at, next)
        next += 1
      } else if next < glob.count, glob[next] == UInt8(ascii: "?") || glob[next] == name[at] {
        (at, next) = (at + 1, next + 1)
      } else if let last = star {
        star = (last.at + 1, last.next)
        (at, next) = (last.at + 1, last.next + 1)
      } else {
        return false
      }
    }
    return glob[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

extension Exclusion {
  /// The exclusion rules of a service, from its own documentation or from trials.
  public static func of(_ service: SyncService) -> Exclusion {
    inFolder(service) ?? inSettings(service) ?? impossible(service)
  }

  /// Services that read their rules from a file in the synced folder.
  private static func inFolder(_ service: SyncService) -> Exclusion? {
    switch service {
    case .syncthing:
      Exclusion(
        service, file: ".stignore", "Syncthing does not sync .stignore: do this on every device",
        isPerDevice: true)
    case .nextcloud:
      Exclusion(service, file: ".sync-exclude.lst")
    case .seafile:
      Exclusion(
        service, file: "seafile-ignore.txt", "seafile-ignore.txt counts in the library's root only")
    case .resilio:
      Exclusion(
        service, file: ".sync/IgnoreList",
        "Resilio Sync does not sync its IgnoreList: do this on every device", isPerDevice: true)
    case .mega:
      Exclusion(service, file: ".megaignore", lines: patterns.map { "-:\($0)" })
    case .maestral:
      Exclusion(service, file: ".mignore", ".mignore counts in the Dropbox folder's root only")
    default: nil
    }
  }

  /// Services whose rules a person sets elsewhere.
  private static func inSettings(_ service: SyncService) -> Exclusion? {
    switch service {
    case .unison:
      Exclusion(
        service, lines: patterns.map { "ignore = Name \($0)" },
        "add these lines to the profile in ~/.unison, and -copyonconflict to keep both sides")
    case .rclone:
      Exclusion(
        service, lines: patterns.map { "- \($0)" },
        "put these lines into a file, then run once: rclone bisync … --filters-file FILE --resync")
    case .rsync:
      Exclusion(
        service, lines: patterns.map { "--exclude='\($0)'" },
        "add these options, and --modify-window=-1 to see two commits within one second")
    case .freeFileSync:
      Exclusion(service, "add these lines to the exclude filter of the folder pair")
    case .oneDriveLinux:
      Exclusion(
        service, lines: ["skip_file = \"~*|.~*|*.tmp|*.swp|*.partial|*-journal|*-wal|*-shm\""],
        "put this line into ~/.config/onedrive/config, then run once: onedrive --sync --resync")
    case .oneDrive:
      Exclusion(
        service, lines: ["sqlite-journal", "sqlite-wal", "sqlite-shm"],
        "OneDrive excludes by extension: add these under Settings, Sync and backup, Exclude; "
          + "a company account needs its administrator")
    case .pCloud:
      Exclusion(service, "add these patterns under Settings, Exclusions, before the sync is set up")
    default: nil
    }
  }

  /// Services that cannot be told by name.
  private static func impossible(_ service: SyncService) -> Exclusion {
    let why =
      switch service {
      case .dropbox: "Dropbox marks files and not names, and the mark goes with each journal"
      case .iCloudDrive:
        "iCloud Drive marks files and not names, and the mark goes with each journal"
      case .googleDrive: "Google Drive has no rules for single files"
      case .box: "Box has no rules for single files"
      default: "openwo knows of no rule for names with this service"
      }
    return Exclusion(
      service, lines: [],
      "\(why); openwo never plays back a journal that came from elsewhere, but close the database in "
        + "other programs before the folder syncs")
  }
}

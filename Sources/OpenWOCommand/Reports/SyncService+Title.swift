import OpenWO

extension SyncService {
  /// What people call the service; nil if a name does not tell it.
  var title: String? {
    switch self {
    case .box: "Box"
    case .cozy: "Cozy Drive"
    case .ctera: "CTERA"
    case .dropbox: "Dropbox"
    case .fileCloud: "FileCloud"
    case .freeFileSync: "FreeFileSync"
    case .gitAnnex: "git-annex"
    case .googleDrive: "Google Drive"
    case .iCloudDrive: "iCloud Drive"
    case .jungleDisk: "Jungle Disk"
    case .maestral: "Maestral"
    case .mega: "MEGA"
    case .nextcloud: "Nextcloud"
    case .oneDrive, .oneDriveLinux: "OneDrive"
    case .pCloud: "pCloud"
    case .proton: "Proton Drive"
    case .rclone: "rclone"
    case .resilio: "Resilio Sync"
    case .rsync: "rsync"
    case .seafile: "Seafile"
    case .securiSync: "SecuriSync"
    case .syncCom: "Sync.com"
    case .syncthing: "Syncthing"
    case .synology: "Synology Drive"
    case .tahoe: "Tahoe-LAFS"
    case .tresorit: "Tresorit"
    case .unison: "Unison"
    case .system, .unknown: nil
    }
  }
}

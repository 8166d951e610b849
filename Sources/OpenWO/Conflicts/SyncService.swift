/// A service or tool that syncs folders, or another program that makes files beside a database.
public enum SyncService: String, Sendable, Hashable, Codable, CaseIterable {
  /// Box Drive and Box Sync.
  case box
  /// Cozy Drive.
  case cozy
  /// CTERA.
  case ctera
  /// Dropbox.
  case dropbox
  /// FileCloud.
  case fileCloud
  /// FreeFileSync.
  case freeFileSync
  /// git-annex.
  case gitAnnex
  /// Google Drive.
  case googleDrive
  /// iCloud Drive.
  case iCloudDrive
  /// Jungle Disk.
  case jungleDisk
  /// Maestral, a third-party client of Dropbox.
  case maestral
  /// MEGA.
  case mega
  /// Nextcloud, ownCloud and OpenCloud.
  case nextcloud
  /// OneDrive and SharePoint.
  case oneDrive
  /// The OneDrive client for Linux.
  case oneDriveLinux
  /// pCloud.
  case pCloud
  /// Proton Drive.
  case proton
  /// rclone bisync.
  case rclone
  /// Resilio Sync, formerly BitTorrent Sync.
  case resilio
  /// rsync.
  case rsync
  /// Seafile.
  case seafile
  /// SecuriSync.
  case securiSync
  /// Sync.com.
  case syncCom
  /// Syncthing.
  case syncthing
  /// Synology Drive.
  case synology
  /// The magic folders of Tahoe-LAFS.
  case tahoe
  /// Tresorit.
  case tresorit
  /// Unison.
  case unison
  /// The operating system, a file manager, an editor or a browser.
  case system
  /// A service that the name does not identify.
  case unknown
}

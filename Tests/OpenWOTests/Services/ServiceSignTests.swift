import OpenWO
import SystemPackage
import Testing

struct ServiceSignTests {
  private func signs(
    _ folder: FilePath, _ names: [FilePath: [FilePath.Component]] = [:]
  ) -> [ServiceSign] {
    ServiceSign.all(around: folder) { names[$0] ?? [] }
  }

  @Test(
    arguments: [
      (".stfolder", SyncService.syncthing), (".sync_3f2a9c0b1d4e.db", .nextcloud),
      (".dropbox", .dropbox), (".unison.a.sqlite.0123.unison.tmp", .unison), (".SyncID", .resilio),
      (".sync.ffs_db", .freeFileSync), ("seafile-ignore.txt", .seafile), (".megaignore", .mega),
      (".tmp.driveupload", .googleDrive), ("RCLONE_TEST", .rclone),
    ] as [(FilePath.Component, SyncService)])
  func `a service is known by what it leaves`(name: FilePath.Component, service: SyncService) {
    let found = signs("/home/ana/Sync", ["/home/ana/Sync": ["openwo.sqlite", name]])
    #expect(found.map(\.service) == [service])
    #expect(found.map(\.root) == ["/home/ana/Sync"])
    #expect(found.map(\.sign) == [name.string])
  }

  @Test func `a sign further up counts, and two services on one folder are both seen`() {
    let found = signs(
      "/home/ana/Sync/Training",
      ["/home/ana/Sync": [".stfolder", ".stignore"], "/home/ana": [".dropbox"]])
    #expect(found.map(\.service) == [.syncthing, .dropbox])
    #expect(found.map(\.root) == ["/home/ana/Sync", "/home/ana"])
  }

  @Test func `the folders of macOS's file providers are known by their path`() {
    let home: FilePath = "/Users/ana/Library"
    #expect(
      signs(home.appending("CloudStorage/OneDrive-Personal/Training")).map(\.service)
        == [.oneDrive])
    #expect(
      signs(home.appending("Mobile Documents/com~apple~CloudDocs")).map(\.service)
        == [.iCloudDrive])
  }

  @Test func `a folder without a service has no signs`() {
    #expect(signs("/home/ana/Training", ["/home/ana/Training": ["openwo.sqlite", ".git"]]) == [])
    #expect(signs("/") == [])
  }
}

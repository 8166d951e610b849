import OpenWO
import OpenWOApp
import Testing

/// The texts, in both languages.
struct TextTests {
  private let english = Catalogue(.en, .iCloud)
  private let japanese = Catalogue(.ja, .iCloud)

  @Test(arguments: [
    (SyncText.title, "iCloud Sync", "iCloud同期"),
    (.lastSync, "Last Sync", "最終同期"),
    (.openSettings, "Open Settings", "設定を開く"),
    (.synced, "Synced", "同期済み"),
    (.saved, "Saved to iCloud.", "iCloudに保存されています。"),
    (.syncing, "Syncing...", "同期中..."),
    (.takesAMoment, "It may take a moment to finish.", "最新になるまで少し時間がかかる場合があります。"),
    (.localOnly, "iCloud not available", "iCloud未設定"),
    (
      .onlyOnThisDevice,
      "Data is stored only on this device. Uninstalling or switching devices will lose data.",
      "この端末内にのみ保存されています。アプリ削除や機種変更でデータが消えます。"
    ),
    (.syncError, "Sync error", "同期エラー"),
    (.quotaFull, "iCloud storage full", "iCloud容量不足"),
    (.offline, "Offline", "オフライン"),
    (.temporaryFailure, "Temporary sync failure", "一時的な同期失敗"),
    (
      .availableAfterRestart, "iCloud is available now. Restart the app to turn on syncing.",
      "iCloudが有効になりました。再起動すると同期が有効になります。"
    ),
    (
      .restartForChange, "Restart the app for the change to take effect",
      "変更を反映するにはアプリを再起動してください"
    ),
    (.mayBeStale, "Syncing or offline: this may be stale", "同期中のため最新でない可能性"),
  ])
  func `texts are those of the designs, word for word`(text: SyncText, en: String, ja: String) {
    #expect(english[text] == en)
    #expect(japanese[text] == ja)
  }

  @Test(arguments: SyncText.allCases)
  func `every text is there in both languages and with either name`(text: SyncText) {
    for language in Language.allCases {
      for wording in [Wording.folder, .iCloud] {
        let words = Catalogue(language, wording)[text]
        #expect(!words.isEmpty && !words.contains("{n") && !words.contains("{N"), "\(words)")
        #expect(language == .en || words.contains { !$0.isASCII }, "\(words)")
      }
    }
    #expect(!Catalogue(.ja)[text].contains("iCloud") && !Catalogue(.en)[text].contains("iCloud"))
  }

  @Test(arguments: SyncErrorKind.allCases)
  func `every kind of error has advice and a way to try again`(kind: SyncErrorKind) {
    #expect(english[kind.guidance].lowercased().contains(/try|sent|tried|restart/))
    #expect(japanese[kind.guidance].contains(/お試し|再試行|送信|再起動/))
    #expect(english[kind.label] != english[.synced])
  }

  private func state(
    _ active: SyncState.ActiveStore, _ status: SyncState.Status, _ error: SyncErrorKind? = nil
  ) -> SyncState {
    SyncState(
      activeStore: active, syncEnabled: true, availability: .available, network: .online,
      status: status, lastLocalSaveAt: Timestamp("2026-11-21T05:02:00.000Z"),
      lastCheckedAt: Timestamp("2026-11-21T05:02:00.000Z"), lastError: error, seenBy: [])
  }

  @Test func `the warning is shown whenever data is on this device only`() {
    for status in SyncState.Status.allCases where status != .checking {
      for kind in [nil] + SyncErrorKind.allCases.map({ $0 }) {
        let details = state(.local, status, kind).details
        #expect(details.first == .onlyOnThisDevice)
      }
    }
    #expect(!state(.synced, .synced).details.contains(.onlyOnThisDevice))
  }

  @Test func `the section has its rows in order, and only those that act react`() throws {
    var profile = Notes.profile { $0.wording = .iCloud }
    var shown = state(.synced, .synced)
    shown.seenBy = [.init(device: "phone", at: Timestamp(milliseconds: 1_795_237_320_000))]
    let rows = SyncSection(shown, profile, .ja, minutesEast: 540).rows
    #expect(
      rows.map(\.kind) == [
        .status, .detail, .lastSync, .detail, .lastLocalSave, .seenBy, .action,
      ])
    #expect(rows[0].title == "iCloud同期" && rows[0].value == "同期済み")
    #expect(rows[2].title == "最終同期" && rows[2].value == "2026-11-21 14:02")
    #expect(rows[3].title.contains("最終チェック時刻"))
    #expect(rows.filter(\.isTappable).map(\.title) == ["設定を開く"])
    #expect(rows[6].value == "システム設定でiCloudを確認してください。")
    shown.lastCheckedAt = nil
    #expect(!SyncSection(shown, profile, .en).rows.contains { $0.kind == .lastSync })
    profile.display = .indicator
    #expect(SyncSection(shown, profile, .en).rows.map(\.kind) == [.status, .syncNow])
    profile.display = .nothing
    #expect(SyncSection(shown, profile, .en).rows == [])
  }

  @Test(arguments: SyncState.Status.allCases, [SyncState.ActiveStore.synced, .local])
  func `every state shows the way to the settings`(
    status: SyncState.Status, active: SyncState.ActiveStore
  ) {
    let profile = Notes.profile { $0.wording = .iCloud }
    for kind in [nil] + SyncErrorKind.allCases.map({ $0 }) {
      for language in Language.allCases {
        let rows = SyncSection(state(active, status, kind), profile, language).rows
        let ways = rows.filter { $0.kind == .action }
        // An app opens its settings there: the system has no way to those of its cloud.
        #expect(ways.count == 1 && ways[0].isTappable)
        let (title, place) =
          language == .ja ? ("設定を開く", "システム設定") : ("Open Settings", "system settings")
        #expect(ways[0].title == title)
        #expect(ways[0].value?.contains(place) == true && ways[0].value?.contains("iCloud") == true)
      }
    }
  }

  @Test func `the text about a device that has seen a version is in both languages`() {
    let sighting = SyncState.Sighting(
      device: "phone", at: Timestamp(milliseconds: 1_795_269_720_000))
    #expect(english.seen(sighting) == "seen by phone at 14:02")
    #expect(japanese.seen(sighting) == "14:02にphoneへ反映済み")
  }

  @Test func `a sighting of another day has its date`() {
    let moment = Timestamp(milliseconds: 1_795_269_720_000)
    let sighting = SyncState.Sighting(device: "phone", at: moment)
    #expect(japanese.seen(sighting, today: moment.advanced(bySeconds: 3600)) == "14:02にphoneへ反映済み")
    let later = moment.advanced(bySeconds: 86_400)
    #expect(japanese.seen(sighting, today: later).hasSuffix(" 14:02にphoneへ反映済み"))
  }

  @Test func `a folder without a name has words of its own`() {
    let texts = Catalogue(.ja)
    #expect(texts[.checkSettings] == "同期サービスの設定で同期フォルダを確認してください。")
    #expect(texts[.quotaFull] == "同期フォルダの空き容量不足")
    #expect(japanese[.checkSettings] == "システム設定でiCloudを確認してください。")
    #expect(texts[.on] == "オン" && texts[.off] == "オフ")
  }

  @Test func `every error that reaches a user has a text in both languages`() {
    let codes: [StoreError.Code] = [
      .locked, .lockLost, .setAside, .mergeRefused, .brokenReferences, .inDoubt, .usage, .noSpace,
      .busy,
    ]
    for code in codes {
      let error = StoreError(code, "it did not work")
      #expect(Catalogue(.en).message(for: error).contains(" "))
      #expect(Catalogue(.ja).message(for: error).contains { !$0.isASCII })
      #expect(!Catalogue(.ja).message(for: error).contains("openwo"))
    }
  }

  @Test func `an edit elsewhere is reported once`() {
    var locked = state(.synced, .synced)
    locked.lockedBy = "laptop"
    var profile = AppProfile(app: "a", localFile: "l", syncedFile: "s")
    profile.display = .full
    let rows = SyncSection(locked, profile, .ja).rows.map(\.title)
    #expect(rows.contains("laptopで編集中です。終わるまで、この端末では変更できません。"))
    let away = SyncSection(state(.local, .localOnly), profile, .ja).rows
    let settings = Catalogue(.ja, profile.wording)[.checkSettings]
    #expect(away.filter { $0.title.contains(settings) || $0.value == settings }.count == 1)
  }
}

import Dispatch
import OpenWOApp
import Testing

@testable import OpenWOWeb

/// The texts that the page was specified with, word for word in both languages.
struct TextTests {
  @Test(arguments: [
    (SyncText.checking, "Checking...", "確認中..."),
    (.synced, "Synced", "同期済み"), (.saved, "Saved to iCloud.", "iCloudに保存されています。"),
    (.syncing, "Syncing...", "同期中..."),
    (.takesAMoment, "It may take a moment to finish.", "最新になるまで少し時間がかかる場合があります。"),
    (.localOnly, "iCloud not available", "iCloud未設定"),
    (.thisDeviceOnly, "Local only", "この端末のみ"),
    (
      .onlyOnThisDevice,
      "Data is stored only on this device. Uninstalling or switching devices will lose data.",
      "この端末内にのみ保存されています。アプリ削除や機種変更でデータが消えます。"
    ),
    (
      .restricted, "The folder cannot be written. Check its permissions.",
      "フォルダに書き込めません。アクセス権を確認してください。"
    ),
    (
      .notAuthenticated,
      "Your data is not found in iCloud. Check that you are signed in, then try again.",
      "iCloudにデータが見つかりません。サインインしているか確認して、もう一度お試しください。"
    ),
    (.quotaFull, "iCloud storage full", "iCloud容量不足"),
    (
      .quotaExceeded, "There is no room left in iCloud. Free up space, then try again.",
      "iCloudの空き容量が不足しています。空き容量を増やしてから、もう一度お試しください。"
    ),
    (.offline, "Offline", "オフライン"),
    (
      .networkUnavailable,
      "You are offline. Changes are kept here and are sent when the network is back.",
      "オフラインです。変更はこの端末に保存され、接続が戻ると送信されます。"
    ),
    (.temporaryFailure, "Temporary sync failure", "一時的な同期失敗"),
    (
      .serviceUnavailable, "iCloud does not answer right now. Try again in a while.",
      "iCloudが応答していません。しばらくしてからもう一度お試しください。"
    ),
    (
      .requestRateLimited,
      "Another program is using the data. It will be tried again by itself.",
      "別のプログラムがデータを使用中です。しばらくすると自動的に再試行されます。"
    ),
    (.syncError, "Sync error", "同期エラー"),
    (
      .availableAfterRestart, "iCloud is available now. Restart the app to turn on syncing.",
      "iCloudが有効になりました。再起動すると同期が有効になります。"
    ),
    (
      .folderGone, "The folder is gone. Restart the app to go on with this device's own data.",
      "フォルダが見つかりません。再起動すると、この端末内で続けられます。"
    ),
    (
      .otherAccount,
      "You see this folder's data. What was here before is kept apart on this device.",
      "このフォルダのデータを表示しています。以前のデータはこの端末に別に保管されています。"
    ),
    (.bringIn, "Bring them in", "取り込む"),
    (.joined, "Data of two devices was brought together.", "2台の端末のデータを1つにまとめました。"),
    (
      .notBroughtIn, "This device's own data is not brought in yet. It is kept.",
      "この端末のデータをまだ取り込めていません。データは残っています。"
    ),
    (.lastSync, "Last Sync", "最終同期"), (.lastLocalSave, "Last saved here", "この端末での最終保存"),
    (.openSettings, "Open Settings", "設定を開く"),
    (.checkSettings, "Check iCloud in the system settings.", "システム設定でiCloudを確認してください。"),
    (.tryAgain, "Try Again", "もう一度試す"), (.syncNow, "Sync Now", "今すぐ同期"),
    (
      .restartForChange, "Restart the app for the change to take effect",
      "変更を反映するにはアプリを再起動してください"
    ),
    (.mayBeStaleOffline, "Offline: this may be stale", "オフラインのため最新でない可能性があります"),
  ])
  func `each text is the one that was specified`(text: SyncText, en: String, ja: String) {
    #expect(Catalogue(.en, .iCloud)[text] == en)
    #expect(Catalogue(.ja, .iCloud)[text] == ja)
  }

  @Test func `texts with numbers say them`() {
    #expect(
      Catalogue(.en).setAside(3) == "Another device's changes went on. 3 of yours are kept.")
    #expect(Catalogue(.ja).setAside(3) == "別の端末の変更が優先されました。この端末の変更（3件）は残っています。")
  }

  @Test func `a folder that hangs makes nobody wait, and counts as silent after a while`() {
    let probe = PatientProbe(
      HangingProbe(), patience: .milliseconds(1), limit: .seconds(3600))
    #expect(probe.look(at: "/far/away") == .notYet)
    #expect(probe.look(at: "/far/away") == .notYet)
    let impatient = PatientProbe(HangingProbe(), patience: .milliseconds(1), limit: .zero)
    #expect(impatient.look(at: "/far/away").problem == .serviceUnavailable)
  }
}

/// A folder of a file server that is gone.
private struct HangingProbe: FolderProbing {
  private static let never = DispatchSemaphore(value: 0)

  func look(at folder: String) -> FolderFinding {
    Self.never.wait()
    return FolderFinding(.available)
  }
}

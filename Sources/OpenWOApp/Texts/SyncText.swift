/// Every text about syncing that a user can see.
public enum SyncText: String, Sendable, Hashable, CaseIterable {
  case title, lastSync, lastLocalSave, openSettings, checkSettings, syncNow, bestEffort
  case synced, syncing, localOnly, thisDeviceOnly, syncError, quotaFull, offline, temporaryFailure
  case saved, takesAMoment, onlyOnThisDevice
  case notAuthenticated, quotaExceeded, networkUnavailable, serviceUnavailable
  case requestRateLimited, damaged, missing, newerVersion, unfinishedCopy
  case availableAfterRestart, restartForChange, mayBeStale, mayBeStaleOffline, switchExplanation
  case seenBy, beingEdited, on, off, checking, folderGone, changesSetAside, bringIn, tryAgain
  case changesToAdd, otherAccount, restricted, notBroughtIn, joined, migrated
  case locked, setAside, cannotBeMerged, brokenReferences, notSaved, failed
}

extension SyncText {
  /// The text for a folder without its own name, if it is different.
  var ofFolder: Translated? {
    switch self {
    case .checkSettings:
      Translated(
        en: "Check the sync folder in the settings of your sync service.",
        ja: "同期サービスの設定で同期フォルダを確認してください。")
    case .quotaFull: Translated(en: "Sync folder storage full", ja: "同期フォルダの空き容量不足")
    case .availableAfterRestart:
      Translated(
        en: "Sync folder is available now. Restart the app to turn on syncing.",
        ja: "同期フォルダが使えるようになりました。再起動すると同期が有効になります。")
    case .notAuthenticated:
      Translated(
        en: "Your data is not found in the sync folder. Check that you are signed in to your sync "
          + "service, then try again.",
        ja: "同期フォルダにデータが見つかりません。同期サービスにサインインしているか確認して、もう一度お試しください。")
    default: nil
    }
  }

  /// The text; `{name}` and `{Name}` are replaced by the folder, `{device}` and `{time}` by the
  /// device and the time.
  var translated: Translated {
    switch self {
    case .title: Translated(en: "{title}", ja: "{title}")
    case .lastSync: Translated(en: "Last Sync", ja: "最終同期")
    case .lastLocalSave: Translated(en: "Last saved here", ja: "この端末での最終保存")
    case .openSettings: Translated(en: "Open Settings", ja: "設定を開く")
    case .checkSettings:
      Translated(en: "Check {name} in the system settings.", ja: "システム設定で{name}を確認してください。")
    case .syncNow: Translated(en: "Sync Now", ja: "今すぐ同期")
    case .bestEffort:
      Translated(
        en: "Best effort: the last sync is the last check, not the end of a transfer.",
        ja: "表示は目安です。「最終同期」は最終チェック時刻であり、実際の同期完了時刻ではありません。")
    case .synced: Translated(en: "Synced", ja: "同期済み")
    case .syncing: Translated(en: "Syncing...", ja: "同期中...")
    case .localOnly: Translated(en: "{Name} not available", ja: "{Name}未設定")
    case .thisDeviceOnly: Translated(en: "Local only", ja: "この端末のみ")
    case .syncError: Translated(en: "Sync error", ja: "同期エラー")
    case .quotaFull: Translated(en: "{Name} storage full", ja: "{Name}容量不足")
    case .offline: Translated(en: "Offline", ja: "オフライン")
    case .temporaryFailure: Translated(en: "Temporary sync failure", ja: "一時的な同期失敗")
    default: detail
    }
  }

  private var detail: Translated {
    switch self {
    case .saved: Translated(en: "Saved to {name}.", ja: "{name}に保存されています。")
    case .takesAMoment:
      Translated(en: "It may take a moment to finish.", ja: "最新になるまで少し時間がかかる場合があります。")
    case .onlyOnThisDevice:
      Translated(
        en: "Data is stored only on this device. "
          + "Uninstalling or switching devices will lose data.",
        ja: "この端末内にのみ保存されています。アプリ削除や機種変更でデータが消えます。")
    case .availableAfterRestart:
      Translated(
        en: "{Name} is available now. Restart the app to turn on syncing.",
        ja: "{Name}が有効になりました。再起動すると同期が有効になります。")
    case .restartForChange:
      Translated(
        en: "Restart the app for the change to take effect", ja: "変更を反映するにはアプリを再起動してください")
    case .mayBeStale:
      Translated(en: "Syncing or offline: this may be stale", ja: "同期中のため最新でない可能性")
    case .mayBeStaleOffline:
      Translated(en: "Offline: this may be stale", ja: "オフラインのため最新でない可能性があります")
    case .switchExplanation:
      Translated(en: "Syncs your data across your devices", ja: "データを複数デバイス間で同期します")
    case .seenBy: Translated(en: "seen by {device} at {time}", ja: "{time}に{device}へ反映済み")
    case .checking: Translated(en: "Checking...", ja: "確認中...")
    case .folderGone:
      Translated(
        en: "The folder is gone. Restart the app to go on with this device's own data.",
        ja: "フォルダが見つかりません。再起動すると、この端末内で続けられます。")
    case .changesSetAside:
      Translated(
        en: "Another device's changes went on. {count} of yours are kept.",
        ja: "別の端末の変更が優先されました。この端末の変更（{count}件）は残っています。")
    case .changesToAdd:
      Translated(
        en: "Changes made without {name} are kept on this device and are added later.",
        ja: "{name}を使えない間の変更は、この端末に残っています。あとで自動的に取り込まれます。")
    case .otherAccount:
      Translated(
        en: "You see this folder's data. What was here before is kept apart on this device.",
        ja: "このフォルダのデータを表示しています。以前のデータはこの端末に別に保管されています。")
    case .restricted:
      Translated(
        en: "The folder cannot be written. Check its permissions.",
        ja: "フォルダに書き込めません。アクセス権を確認してください。")
    case .notBroughtIn:
      Translated(
        en: "This device's own data is not brought in yet. It is kept.",
        ja: "この端末のデータをまだ取り込めていません。データは残っています。")
    case .joined:
      Translated(
        en: "Data of two devices was brought together.", ja: "2台の端末のデータを1つにまとめました。")
    case .migrated:
      Translated(
        en: "This device's data was brought in: {tables}. Failed: {failed}",
        ja: "この端末のデータを移行しました：{tables}。失敗 {failed}件")
    case .bringIn: Translated(en: "Bring them in", ja: "取り込む")
    case .tryAgain: Translated(en: "Try Again", ja: "もう一度試す")
    case .on: Translated(en: "on", ja: "オン")
    case .off: Translated(en: "off", ja: "オフ")
    default: guidance
    }
  }

  /// The texts that say what to do about each kind of error, and how to try again.
  private var guidance: Translated {
    switch self {
    case .notAuthenticated:
      Translated(
        en: "Your data is not found in {name}. Check that you are signed in, then try again.",
        ja: "{name}にデータが見つかりません。サインインしているか確認して、もう一度お試しください。")
    case .quotaExceeded:
      Translated(
        en: "There is no room left in {name}. Free up space, then try again.",
        ja: "{name}の空き容量が不足しています。空き容量を増やしてから、もう一度お試しください。")
    case .networkUnavailable:
      Translated(
        en: "You are offline. Changes are kept here and are sent when the network is back.",
        ja: "オフラインです。変更はこの端末に保存され、接続が戻ると送信されます。")
    case .serviceUnavailable:
      Translated(
        en: "{Name} does not answer right now. Try again in a while.",
        ja: "{Name}が応答していません。しばらくしてからもう一度お試しください。")
    case .requestRateLimited:
      Translated(
        en: "Another program is using the data. It will be tried again by itself.",
        ja: "別のプログラムがデータを使用中です。しばらくすると自動的に再試行されます。")
    case .damaged:
      Translated(
        en:
          "The file in {name} is damaged. Earlier versions are kept. Restart to bring the last one "
          + "back.",
        ja: "{name}のファイルが壊れています。以前のバージョンは残っています。再起動すると、そこから復元します。")
    case .missing:
      Translated(
        en:
          "The file in {name} is missing. Its versions are kept. Restart to bring the last one back.",
        ja: "{name}にファイルがありません。バージョンは残っています。再起動すると、そこから復元します。")
    case .newerVersion:
      Translated(
        en: "The data was written by a newer version of the app. Update the app, then try again.",
        ja: "新しいバージョンのアプリで作成されたデータです。アプリをアップデートして、もう一度お試しください。")
    case .unfinishedCopy:
      Translated(
        en: "A copy of the data in {name} is not complete. Your data is safe. Wait until your sync "
          + "service has brought all files, then try again.",
        ja: "{name}に不完全なコピーがあります。データは無事です。すべてのファイルの同期が終わってから、もう一度お試しください。")
    default: report
    }
  }

  /// The outcome of a change, or why there can be none.
  private var report: Translated {
    switch self {
    case .beingEdited:
      Translated(
        en: "The data is being edited on {device}. It can be changed here again when that ends.",
        ja: "{device}で編集中です。終わるまで、この端末では変更できません。")
    case .locked:
      Translated(
        en: "The data is being edited elsewhere. Nothing was changed; try again later.",
        ja: "データは別の場所で編集中です。変更は保存されていません。しばらくしてからもう一度お試しください。")
    case .setAside:
      Translated(
        en: "Another device saved at the same time. Your change is kept and can be brought in.",
        ja: "別の端末でも同時に保存されました。この変更は残っており、あとから取り込めます。")
    case .cannotBeMerged:
      Translated(
        en: "The changes of both devices do not fit together. Nothing was changed; both are kept.",
        ja: "2台の端末の変更を1つにまとめられません。何も変更していません。どちらの変更も残っています。")
    case .brokenReferences:
      Translated(
        en:
          "The edit left rows that point at missing ones. It is not finished: mend them or undo it.",
        ja: "参照先のないデータが残っているため、編集を終了できません。修正するか、編集を取り消してください。")
    case .notSaved:
      Translated(
        en: "It is not certain that the change was saved. Check it before you enter it again.",
        ja: "変更が保存されたか確認できませんでした。もう一度入力する前に内容を確認してください。")
    case .failed:
      Translated(
        en: "That did not work. Your data is safe; try again.",
        ja: "処理できませんでした。データは無事です。もう一度お試しください。")
    default: Translated(en: "", ja: "")
    }
  }
}

extension SyncErrorKind {
  /// The text that says what to do about it.
  public var guidance: SyncText {
    switch self {
    case .notAuthenticated: .notAuthenticated
    case .quotaExceeded: .quotaExceeded
    case .networkUnavailable: .networkUnavailable
    case .serviceUnavailable: .serviceUnavailable
    case .requestRateLimited: .requestRateLimited
    case .damaged: .damaged
    case .missing: .missing
    case .newerVersion: .newerVersion
    case .unfinishedCopy: .unfinishedCopy
    }
  }

  /// The text that names it.
  public var label: SyncText {
    switch self {
    case .quotaExceeded: .quotaFull
    case .networkUnavailable: .offline
    case .serviceUnavailable, .requestRateLimited: .temporaryFailure
    case .notAuthenticated, .damaged, .missing, .newerVersion, .unfinishedCopy: .syncError
    }
  }
}

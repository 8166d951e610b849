public import OpenWO

/// A remedy as an app shows it: a button, or a sentence for its user.
public struct RemedyChoice: Sendable, Hashable {
  /// Who can do it.
  public enum Performer: Sendable, Hashable {
    /// The store: show a button that calls ``AppStore/perform(_:)``.
    case store
    /// The app: show a button that repeats the call, or opens the screen that the text names.
    case app
    /// The app's user, outside the app: show the text alone.
    case person
  }

  /// The remedy.
  public let remedy: Remedy
  /// Who can do it.
  public let performer: Performer
  /// The button's label, or the sentence.
  public let text: String
}

extension Catalogue {
  /// What an app can offer after an error, the best way first; never empty.
  ///
  /// An error that is not a store's, such as one of the app's own, can only be tried again.
  public func choices(for error: any Error) -> [RemedyChoice] {
    ((error as? StoreError)?.remedies ?? [.tryAgain]).map {
      RemedyChoice(remedy: $0, performer: $0.performer, text: label(of: $0))
    }
  }

  /// The label of a remedy's button, or the sentence that says what to do.
  public func label(of remedy: Remedy) -> String {
    switch remedy {
    case .tryAgain: return self[.tryAgain]
    case .sync: return self[.syncNow]
    case .merge: return self[.bringIn]
    case .checkFolder: return self[.checkSettings]
    case .endLock(let lock):
      var words = words(of: remedy.label)
      words.replace("{device}", with: lock.deviceName)
      return words
    default: return words(of: remedy.label)
    }
  }
}

extension Remedy {
  /// Who can do it.
  public var performer: RemedyChoice.Performer {
    switch self {
    case .sync, .unlock, .discardEdit, .endLock, .restore, .merge, .repair: .store
    case .tryAgain, .lookAgain, .chooseVersion, .makeStore, .chooseFile: .app
    case .closeOtherPrograms, .waitForService, .checkFolder, .freeSpace, .allowAccess, .update,
      .correctCall:
      .person
    }
  }

  /// The label, if it is not a text of the sync section, too.
  fileprivate var label: Translated {
    switch self {
    case .lookAgain: Translated(en: "Show What Is There Now", ja: "現在の内容を表示")
    case .unlock: Translated(en: "Finish the Edit", ja: "編集を終了")
    case .discardEdit: Translated(en: "Discard the Edit", ja: "編集を破棄")
    case .endLock: Translated(en: "End the Edit on {device}", ja: "{device}での編集を終了")
    case .restore: Translated(en: "Go Back to the Kept Version", ja: "保管されたバージョンに戻す")
    case .chooseVersion: Translated(en: "Choose a Version", ja: "バージョンを選ぶ")
    case .repair: Translated(en: "Repair", ja: "修復")
    case .makeStore: Translated(en: "Begin Here", ja: "ここで始める")
    case .chooseFile: Translated(en: "Choose Another File", ja: "別のファイルを選ぶ")
    default: sentence
    }
  }

  /// What a person has to do outside the app.
  private var sentence: Translated {
    switch self {
    case .closeOtherPrograms:
      Translated(
        en: "Save and close the other program that uses the data.",
        ja: "データを使用中のほかのプログラムを、保存して終了してください。")
    case .waitForService:
      Translated(
        en: "Wait until your sync service has brought all files.",
        ja: "同期サービスがすべてのファイルを届けるまでお待ちください。")
    case .freeSpace: Translated(en: "Free up space.", ja: "空き容量を増やしてください。")
    case .allowAccess:
      Translated(
        en: "Check the permissions of {name}.", ja: "{name}のアクセス権を確認してください。")
    case .update: Translated(en: "Update the app.", ja: "アプリをアップデートしてください。")
    case .correctCall:
      Translated(
        en: "Tell the makers of the app about this.", ja: "アプリの開発者にお知らせください。")
    default: Translated(en: "", ja: "")
    }
  }
}

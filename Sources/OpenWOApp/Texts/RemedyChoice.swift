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
    choices((error as? StoreError)?.remedies ?? [.tryAgain])
  }

  /// What an app can offer about something that `doctor` noticed, the best way first; never empty for a warning or an error.
  public func choices(for finding: Finding) -> [RemedyChoice] { choices(finding.remedies) }

  private func choices(_ remedies: [Remedy]) -> [RemedyChoice] {
    remedies.map { RemedyChoice(remedy: $0, performer: $0.performer, text: label(of: $0)) }
  }

  /// The label of a remedy's button, or the sentence that says what to do.
  public func label(of remedy: Remedy) -> String {
    let words =
      switch remedy.label {
      case .shared(let text): self[text]
      case .own(let en, let ja): words(of: Translated(en: en, ja: ja))
      }
    guard case .endLock(let lock) = remedy else { return words }
    return words.replacing("{device}", with: lock.deviceName)
  }
}

/// The text of a remedy.
private enum RemedyLabel {
  /// One of the sync section's, too.
  case shared(SyncText)
  case own(_ en: String, _ ja: String)
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

  /// The button's label, or the sentence that says what to do outside the app; without a `default`, so that a new remedy has to have one.
  fileprivate var label: RemedyLabel {
    switch self {
    case .tryAgain: .shared(.tryAgain)
    case .sync: .shared(.syncNow)
    case .merge: .shared(.bringIn)
    case .checkFolder: .shared(.checkSettings)
    case .lookAgain: .own("Show What Is There Now", "現在の内容を表示")
    case .unlock: .own("Finish the Edit", "編集を終了")
    case .discardEdit: .own("Discard the Edit", "編集を破棄")
    case .endLock: .own("End the Edit on {device}", "{device}での編集を終了")
    case .restore: .own("Go Back to the Kept Version", "保管されているバージョンに戻す")
    case .chooseVersion: .own("Choose a Version", "バージョンを選ぶ")
    case .repair: .own("Repair", "修復")
    case .makeStore: .own("Begin Here", "ここで始める")
    case .chooseFile: .own("Choose Another File", "別のファイルを選ぶ")
    case .closeOtherPrograms:
      .own(
        "Save and close the other program that uses the data.",
        "データを使用中のほかのアプリで、内容を保存してから終了してください。")
    case .waitForService:
      .own(
        "Wait until your sync service has brought all files.",
        "すべてのファイルの同期が終わるまでお待ちください。")
    case .freeSpace: .own("Free up space.", "空き容量を増やしてください。")
    case .allowAccess: .own("Check the permissions of {name}.", "{name}のアクセス権を確認してください。")
    case .update: .own("Update the app.", "アプリをアップデートしてください。")
    case .correctCall: .own("Tell the makers of the app about this.", "この問題をアプリの開発者にお知らせください。")
    }
  }
}

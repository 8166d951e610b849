import OpenWOApp

/// The app's texts, in both languages.
enum Line {
  case logged(String), changed, deleted, favorite(String), noFavorite(String), unit(String)
  case exported(String), imported(Int), empty, noFavorites
  case noExercise, noFavoriteNamed, noSets, noWorkout, nothingToChange, noSource
  case noSettings(String), noExport(String)
  case isThere(String), notThere(String)

  var words: Translated {
    switch self {
    case .logged(let exercise):
      Translated(en: "logged \(exercise)", ja: "\(exercise)を記録しました")
    case .changed: Translated(en: "changed", ja: "変更しました")
    case .deleted: Translated(en: "deleted", ja: "削除しました")
    case .favorite(let id): Translated(en: "\(id) is a favourite", ja: "\(id)をお気に入りに追加しました")
    case .noFavorite(let id):
      Translated(en: "\(id) is no favourite any more", ja: "\(id)をお気に入りから外しました")
    case .unit(let unit): Translated(en: "weights are shown in \(unit)", ja: "重量を\(unit)で表示します")
    case .exported(let path): Translated(en: "exported to \(path)", ja: "\(path)に書き出しました")
    case .imported(let count):
      Translated(
        en: count == 1 ? "1 workout is new" : "\(count) workouts are new",
        ja: "\(count)件のワークアウトを読み込みました")
    case .empty: Translated(en: "nothing logged yet", ja: "まだ記録がありません")
    case .noFavorites: Translated(en: "no favourites yet", ja: "お気に入りはまだありません")
    default: refusal
    }
  }

  private var refusal: Translated {
    switch self {
    case .noExercise:
      Translated(
        en: "name an exercise, such as: trainlog log squat 80x5",
        ja: "種目を指定してください。例：trainlog log squat 80x5")
    case .noFavoriteNamed:
      Translated(
        en: "name an exercise, such as: trainlog favorite squat",
        ja: "種目を指定してください。例：trainlog favorite squat")
    case .noSets:
      Translated(
        en: "name the sets, such as: trainlog log squat 80x5 85x3",
        ja: "セットを指定してください。例：trainlog log squat 80x5 85x3")
    case .noWorkout:
      Translated(
        en: "which workout? name its number in: trainlog list",
        ja: "ワークアウトの番号を指定してください（trainlog listで確認できます）。")
    case .nothingToChange:
      Translated(
        en: "name the new sets or a --note, such as: trainlog edit 1 80x5 85x3",
        ja: "新しいセットか--noteを指定してください。例：trainlog edit 1 80x5 85x3")
    case .noSource: Translated(en: "name the file to read", ja: "読み込むファイルを指定してください")
    case .noSettings(let path):
      Translated(
        en: "\(path) has no settings of the app from before", ja: "\(path)に以前のアプリの設定はありません")
    case .noExport(let path):
      Translated(en: "\(path) is no export of this app", ja: "\(path)はこのアプリの書き出しファイルではありません")
    case .isThere(let path): Translated(en: "\(path) is there already", ja: "\(path)は既にあります")
    case .notThere(let path): Translated(en: "there is no \(path)", ja: "\(path)がありません")
    default: Translated(en: "", ja: "")
    }
  }
}

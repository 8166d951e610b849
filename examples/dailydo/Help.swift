extension Words {
  /// How the program is used, in Japanese.
  static let japanese = """
    TODOを管理します。

    使い方：dailydo コマンド [内容 ...] [オプション]

      list                    TODOの一覧
      add タイトル            TODOを追加します
      done タイトル           完了と未完了を切り替えます
      edit タイトル 新しい名  タイトルを変更します
      delete タイトル         TODOを削除します
      reset [時]              一日が始まる時刻。それより前に完了したTODOは未完了に戻ります
      settings                同期のオン / オフ
      sync-on, sync-off       同期を切り替えます
      open                    開いたままにして、届いた変更を表示します（^Dで終了）

      --folder フォルダ       同期サービスのフォルダ。省略時は$OPENWO_SYNC_DIR
      --lang en|ja            言語。省略時は環境変数LC_ALL、LC_MESSAGES、LANGに従います
      -h, --help              この使い方を表示します
    """
}

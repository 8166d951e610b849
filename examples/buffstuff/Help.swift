extension Words {
  /// How the program is used, in Japanese.
  static let japanese = """
    ジムの記録を、同期サービスのフォルダに保存します。

    使い方：buffstuff コマンド [内容 ...] [オプション]

      list                    種目とワークアウトの一覧（実施中のものはセットも表示）
      add 名前 [重量]         種目を追加します
      edit 名前 重量 [新名]   種目の重量や名前を変更します
      delete 名前             種目を削除します
      purge [日数]            削除してから指定した日数（省略時は30日）が過ぎた種目を完全に削除します
      start 名前              この端末でワークアウトを開始します
      set 種目 回数 [重量]    実施中のワークアウトにセットを追加します
      finish [名前]           ワークアウトを終了します。名前を指定すると別の端末のものも終了できます
      bring-in                優先されなかった変更を取り込みます
      sync                    今すぐ同期します
      sync-on, sync-off       この端末の同期を切り替えます（次回の起動時から有効）
      settings                同期の状態

      --folder フォルダ       同期サービスのフォルダ。省略時は$OPENWO_SYNC_DIR
      --lang en|ja            言語。省略時は環境変数LC_ALL、LC_MESSAGES、LANGに従います
      -h, --help              この使い方を表示します
    """
}

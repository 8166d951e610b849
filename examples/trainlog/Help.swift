extension Words {
  /// How the program is used, in Japanese.
  static let japanese = """
    トレーニングの記録を、同期サービスのフォルダに保存します。

    使い方：trainlog コマンド [内容 ...] [オプション]

      list                    記録の一覧（新しい順、番号付き）
      log 種目 セット...      ワークアウトを記録します。セットは80x5（重量x回数）、x12（重量なし）、
                              60s（秒）。末尾に@8を付けるとRPE（1〜10）を記録します
      edit 番号 [種目] [セット...]
                              種目のセットを書き換えます。--noteを付けるとメモを書き換えます
      delete 番号             ワークアウトを削除します
      favorite 種目           お気に入りに追加するか、お気に入りから外します
      favorites               お気に入りの一覧
      unit kg|lb              重量の表示単位
      export                  すべての記録をJSONファイルに書き出します
      import ファイル         書き出したファイルを読み込みます。今ある記録は変わりません
      legacy                  以前のアプリのお気に入りと単位を取り込みます（初回起動時は自動）
      bring-in                優先されなかった変更を取り込みます
      status                  同期の状態

      --note メモ             log、edit：メモ
      -o, --output ファイル   export：書き出すファイル。省略時は日時を含む名前になります
      --from ファイル         legacy：以前のアプリの設定ファイル
      --folder フォルダ       同期サービスのフォルダ。省略時は$OPENWO_SYNC_DIR
      --lang en|ja            言語。省略時は環境変数LC_ALL、LC_MESSAGES、LANGに従います
      -h, --help              この使い方を表示します
    """
}

extension Words {
  /// How the program is used, in Japanese.
  static let japanese = """
    ワークアウトを、同期できるデータベースに保存します。

    使い方：workouts データベース コマンド [内容 ...] [オプション]

      list                    ワークアウトの一覧
      show ワークアウト       種目の一覧（ワークアウトは名前か番号で指定）
      log ワークアウト [重量...]
                              実施したワークアウトを種目ごとの重量で記録します。60xは失敗、-は省略。
                              重量を指定しない種目は前回の重量になります
      plan ワークアウト 種目 セットx目標
                              計画に種目を追加するか、セットを変更します
      unplan ワークアウト 種目
                              計画から種目を外します（記録がある種目は外せません）
      sessions                記録の一覧
      challenge [日付]        その日のチャレンジを1セット記録し、連続日数を表示します
      run                     開いたままにして、変更を表示します（^Cで終了）
      status                  同期の状態
      lock [メモ]             ほかのプログラムで編集する間、アプリの書き込みを止めます
      unlock                  ロックを解除し、変更を表示します
      bring-in                優先されなかった変更を取り込みます

      --minutes 分            log：所要時間
      --feedback 感想         log：感想
      --every 秒              run：指定した秒数ごとに記録します
      --discard               unlock：ロック前の状態に戻します
      --lang en|ja            言語。省略時は環境変数LC_ALL、LC_MESSAGES、LANGに従います
      -h, --help              この使い方を表示します
    """
}

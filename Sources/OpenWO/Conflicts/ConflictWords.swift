/// The words for a conflict between two copies, in several languages.
enum ConflictWords {
  /// A language's words for Dropbox's copies: `<file> (<who> <words> <who> <date>)`.
  struct Phrase: Sendable {
    var language: String
    /// The words, without a name.
    var words: String
    /// Text between the words and a name that is not part of the name.
    var joints: [String] = []

    init(_ language: String, _ words: String, _ joints: [String] = []) {
      (self.language, self.words, self.joints) = (language, words, joints)
    }
  }

  /// The languages whose copies were seen, then those that follow the same grammar.
  static let phrases: [Phrase] = [
    Phrase("en", "conflicted copy", ["'s", "’s", "'", "’", "of ", "from "]),
    Phrase("de", "in Konflikt stehende Kopie", ["von "]),
    Phrase("fr", "copie en conflit", ["de ", "d'", "d’"]),
    Phrase("es", "copia en conflicto", ["de "]),
    Phrase("es", "copia conflictiva", ["de "]),
    Phrase("it", "copia in conflitto", ["di "]),
    Phrase("pt", "cópia em conflito", ["de "]),
    Phrase("ja", "競合コピー", ["の"]),
    Phrase("ko", "충돌된 사본", ["의"]),
    Phrase("ru", "конфликтующая копия", ["пользователя "]),
    Phrase("ru", "конфликтная копия", ["пользователя "]),
    Phrase("zh", "冲突副本", ["的"]),
    Phrase("zh", "冲突的副本", ["的"]),
    Phrase("zh", "衝突複本", ["的"]),
    Phrase("zh", "衝突的複本", ["的"]),
    Phrase("nl", "conflicterende kopie", ["van "]),
    Phrase("nl", "conflictkopie", ["van "]),
    Phrase("pl", "kopia powodująca konflikt", ["użytkownika "]),
    Phrase("sv", "konfliktkopia", ["från ", "av "]),
    Phrase("da", "konfliktkopi", ["fra ", "af "]),
    Phrase("uk", "конфліктна копія", ["користувача "]),
    Phrase("id", "salinan konflik", ["milik "]),
    Phrase("th", "สำเนาที่ขัดแย้งกัน", ["ของ"]),
    Phrase("th", "สำเนาที่ขัดแย้ง", ["ของ"]),
  ]

  /// Stems of the word for conflict: with a date beside one of them no person chose the name.
  static let stems = [
    "conflict", "konflikt", "conflit", "conflikt", "konflik", "konflict", "конфликт", "конфлікт",
    "競合",
    "冲突", "衝突", "충돌", "çakış", "çelişki", "ristirii", "ütköz", "σύγκρουσ", "συγκρου", "διένεξ",
    "ขัดแย้ง", "xung đột", "mâu thuẫn", "تعارض", "متعارض", "התנגש", "מתנגש", "bentrok", "motstrid",
    "tegenstrijd", "sprzeczn", "bercanggah", "संघर्ष", "विरोध", "sukob",
  ]
}

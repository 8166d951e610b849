/// Finds the verb that somebody may have meant.
enum NearestVerb {
  /// Words that other tools have for what a verb does.
  private static let synonyms: [String: String] = [
    "log": "history", "versions": "history", "ls": "history", "list": "history", "cat": "show",
    "checkout": "restore", "revert": "restore", "reset": "restore", "rollback": "restore",
    "back": "restore", "commit": "sync", "save": "sync", "push": "sync", "pull": "sync",
    "update": "sync", "add": "init", "create": "init", "new": "init", "check": "doctor",
    "fsck": "doctor", "verify": "doctor", "repair": "doctor", "gc": "prune", "forget": "prune",
    "open": "edit", "release": "unlock", "changes": "diff", "compare": "diff", "st": "status",
    "stat": "status", "info": "status", "dump": "export", "resolve": "merge", "start": "watch",
    "daemon": "watch", "page": "web", "gui": "web", "browse": "web", "uninit": "leave",
    "deinit": "leave", "remove": "leave", "stop": "leave", "conflict": "conflicts",
    "salvage": "recover",
  ]

  /// The verb that a word is near to; nil if it is near to none.
  static func verb(near word: String, among verbs: [String]) -> String? {
    let word = word.lowercased()
    if verbs.contains(word) { return word }
    if let meant = synonyms[word] { return meant }
    let begun = verbs.filter { word.count > 1 && $0.hasPrefix(word) }
    if begun.count == 1 { return begun[0] }
    let limit = word.count < 5 ? 1 : 2
    return verbs.map { (distance(word, $0), $0) }.filter { $0.0 <= limit }.min { $0 < $1 }?.1
  }

  /// How many letters have to be put in, left out, changed or swapped.
  static func distance(_ one: String, _ other: String) -> Int {
    let (a, b) = (Array(one), Array(other))
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var rows = [[Int]](repeating: Array(0...b.count), count: a.count + 1)
    for i in 1...a.count {
      rows[i][0] = i
      for j in 1...b.count {
        let isSame = a[i - 1] == b[j - 1]
        rows[i][j] = min(
          rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
        }
      }
    }
    return rows[a.count][b.count]
  }
}

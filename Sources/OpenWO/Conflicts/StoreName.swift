/// The name of a store's database, ready to be compared with those of its siblings.
struct StoreName: Sendable {
  let bytes: [UInt8]
  /// nil if the name is not UTF-8.
  private let text: Forms?
  private let byBytes: Forms

  /// The database's name and what it leads to, as characters or as bytes.
  private struct Forms: Sendable {
    let database: NameText
    let companion: NameText
    let beginning: [UInt32]
    let journals: [(suffix: NameText, name: NameText)]

    init(_ database: NameText) {
      self.database = database
      companion = database + Self.literal(".openwo")
      beginning = Array(NameParser.commonBeginning(of: database))
      journals = ForeignNames.journalSuffixes.map {
        (Self.literal($0), database + Self.literal($0))
      }
    }

    static func literal(_ text: String) -> NameText { Alphabet.text(bytes: Array(text.utf8)) }
  }

  init(_ bytes: [UInt8], _ alphabet: inout Alphabet) {
    self.bytes = bytes
    text = String(validating: bytes, as: UTF8.self).map { Forms(alphabet.learn($0)) }
    byBytes = Forms(Alphabet.text(bytes: bytes))
  }

  /// Whether a name that fits both databases is rather this one's: the longer name takes it.
  func isCloser(than other: StoreName, _ others: Sibling) -> Bool {
    others == .unrelated || others != .databaseTwin && bytes.count > other.bytes.count
  }

  /// The kind of a name beside this database; unrelated if it does not contain the database's name.
  func relation(of name: [UInt8], _ text: NameText?) -> Sibling {
    // Names are compared as bytes if one of the two is not UTF-8.
    guard let text, let own = self.text else {
      let characters = name.map { Character(Unicode.Scalar($0)) }
      return relation(name, Alphabet.text(bytes: name), characters, byBytes)
    }
    return relation(name, text, Array(String(decoding: name, as: UTF8.self)), own)
  }

  private func relation(
    _ bytes: [UInt8], _ name: NameText, _ characters: @autoclosure () -> [Character], _ own: Forms
  ) -> Sibling {
    if name.codes == own.database.codes { return .databaseTwin }
    if name.codes == own.companion.codes { return .companion }
    guard name.codes.starts(with: own.beginning) else { return around(bytes, name, own) }
    if let journal = journal(name, own) { return journal }
    if let marks = marks(name, of: own.database) {
      if let backup = marks.backup { return .backup(backup) }
      return .conflictedCopy(ConflictName(marks, in: characters()))
    }
    if name.contains(Forms.literal(".openwo")), let marks = marks(name, of: own.companion) {
      if let backup = marks.backup { return .backup(backup) }
      return .companionDuplicate(ConflictName(marks, in: characters()))
    }
    return around(bytes, name, own)
  }

  /// Journals of the database, of a copy, and copies of the journal itself.
  private func journal(_ name: NameText, _ own: Forms) -> Sibling? {
    for journal in own.journals where name.contains(journal.suffix) {
      if name.codes == journal.name.codes { return .journal(ofCopy: false) }
      if marks(name, of: journal.name) != nil { return .journal(ofCopy: true) }
      if name.hasSuffix(journal.suffix),
        marks(name.dropping(last: journal.suffix.count), of: own.database) != nil
      {
        return .journal(ofCopy: true)
      }
    }
    var matcher = NameMatcher(name)
    let isSuper =
      name.hasPrefix(own.database)
      && matcher.fitsRest(ConflictTable.shared.superJournal, at: own.database.count)
    return isSuper ? .journal(ofCopy: false) : nil
  }

  private func marks(_ name: NameText, of database: NameText) -> NameParser.Marks? {
    var parser = NameParser(name)
    return parser.marks(of: database)
  }

  /// Placeholders, backups and temporary names that are put around the name of the database or of a copy.
  private func around(_ bytes: [UInt8], _ name: NameText, _ own: Forms) -> Sibling {
    func holds(_ before: String, _ after: String) -> Bool {
      guard bytes.starts(with: before.utf8), bytes.count > before.utf8.count + after.utf8.count,
        bytes.suffix(after.utf8.count).elementsEqual(after.utf8)
      else { return false }
      let inner = name.dropping(first: before.count, last: after.count)
      return inner.codes == own.database.codes || marks(inner, of: own.database) != nil
    }
    for placeholder in ForeignNames.placeholders where holds(placeholder.before, placeholder.after)
    {
      return .placeholder(placeholder.service)
    }
    for prefix in ForeignNames.backupPrefixes where holds(prefix.before, "") {
      return .backup(prefix.service)
    }
    let hidden = Forms.literal(".") + own.database
    let rest = name.codes.dropFirst(hidden.count)
    let isRsync =
      name.hasPrefix(hidden) && rest.count == 7 && rest.first == UInt32(ascii: ".")
      && rest.dropFirst().allSatisfy(NameClass.id.contains)
    return isRsync ? .temporary(.rsync) : .unrelated
  }
}

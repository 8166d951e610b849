package import OpenWOHistory

extension Version {
  /// How the note of a version begins that was captured from a conflicted copy; the copy's name follows.
  static let copyNote = "conflicted copy "

  /// The name of the conflicted copy that it was captured from.
  package var copyName: String? {
    guard reason == .external, let note, note.hasPrefix(Self.copyNote) else { return nil }
    return String(note.dropFirst(Self.copyNote.count))
  }
}

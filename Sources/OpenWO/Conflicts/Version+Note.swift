package import OpenWOHistory

extension Version {
  /// How the note of a version begins that was captured from a conflict copy; the copy's name
  /// follows.
  static let copyNote = "conflicted copy "

  /// The note of a version that lost to the live file at once: a recovered state that did not
  /// become live.
  static let passedOverNote = "passed over"

  /// The note of a version that was in the live file before a journal was replayed.
  static let undoneNote = "undone by a journal"

  /// How the note of a version begins that keeps the older content of a folder that was put back; that one's short id follows.
  static let putBackNote = "put back with the folder: "

  /// The short id of the version whose content came back with the folder.
  var putBackVersion: String? {
    guard reason == .restore, let note, note.hasPrefix(Self.putBackNote) else { return nil }
    return String(note.dropFirst(Self.putBackNote.count))
  }

  /// The name of the conflict copy that it was captured from.
  package var copyName: String? {
    guard reason == .external, let note, note.hasPrefix(Self.copyNote) else { return nil }
    return String(note.dropFirst(Self.copyNote.count))
  }

  /// Whether it is the state that an unproven journal would have produced, or the database without
  /// its log.
  ///
  /// It is usually an earlier state of the live file.
  var isPassedOver: Bool { reason == .external && note == Self.passedOverNote }

  /// Whether a device captured it as a state that it passed over.
  func isPassedOver(by device: String) -> Bool { self.device == device && isPassedOver }
}

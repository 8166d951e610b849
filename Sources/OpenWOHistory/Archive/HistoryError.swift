/// An error of a version, or of the file that holds it.
package enum HistoryError: Error, Sendable, Hashable {
  /// The text or the bytes are not what the format asks for; the sentence says what is wrong.
  case malformed(String)
  /// The file is of a format that only a newer openwo knows.
  case newerFormat(found: Int64, known: Int64)
  /// The bytes contradict their size or their hash.
  case damaged(String)
  /// No file in the archive holds this content.
  case missing(ContentHash)
  /// The payloads form a circle, or a longer chain than a reader follows.
  case endlessChain(ContentHash)
}

extension HistoryError: CustomStringConvertible {
  /// One lower-case sentence without a full stop.
  package var description: String {
    switch self {
    case .malformed(let what): what
    case .newerFormat(let found, let known):
      "it is in format \(found), and this openwo knows formats up to \(known)"
    case .damaged(let what): what
    case .missing(let content): "no version file holds the content \(content)"
    case .endlessChain(let content): "the content \(content) rests on too many others"
    }
  }
}

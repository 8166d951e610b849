/// The parts of a conflict copy's name.
///
/// A name only makes a file a candidate. Its content decides whether it is a copy of this database.
struct ConflictName: Sendable, Hashable {
  /// How far the form of a name can be trusted.
  enum Strength: Sendable, Hashable {
    /// A date, an id or a keyword that nobody types: certainly a service's copy.
    case strong
    /// A word that tells of a conflict and that people may type, too, such as `workouts-conflict.sqlite`.
    case word
    /// People choose such names, such as `workouts 2.sqlite`.
    case weak
  }

  /// The services that make such names, the likeliest first.
  var services: [SyncService]
  /// The language the service was set to (`en`, `de`, `pt`…), if the name tells.
  var language: String?
  var strength: Strength
  /// The day or moment in the name, as it is written there.
  var date: String?
  /// The person, account or device in the name.
  var device: String?
  /// How many services' marks the name carries: more than one for copies of copies.
  var layers: Int
  /// False where removing the copy would remove the database itself on other devices.
  var isRemovable: Bool

  /// The service that is the likeliest to have made the name.
  var service: SyncService { services.first ?? .unknown }
}

extension ConflictName {
  /// Reads the oldest mark of a name.
  init(_ marks: NameParser.Marks, in name: [Character]) {
    let pattern = marks.first
    let strength: Strength =
      if case .conflict(let strength) = pattern.role { strength } else { .weak }
    let phrase = marks.fit.phrase.map { ConflictWords.phrases[$0] }
    self.init(
      services: pattern.services, language: phrase?.language, strength: strength,
      date: marks.fit.date.map { String(name[$0]) },
      device: marks.fit.device.flatMap {
        Self.bare(String(name[$0]), without: pattern.joints + (phrase?.joints ?? []))
      },
      layers: marks.count, isRemovable: pattern.isRemovable)
  }

  /// A name without the words that join it to the rest; nil if nothing is left.
  private static func bare(_ text: String, without joints: [String]) -> String? {
    var name = trimmed(text[...])
    for joint in joints.sorted(by: { $0.count > $1.count }) {
      let word = trimmed(joint[...])
      if joint.hasSuffix(" ") {
        if name.hasPrefix(joint) { name = trimmed(name.dropFirst(joint.count)) }
        if name == word { name = "" }
      } else if name.hasSuffix(word) {
        name = trimmed(name.dropLast(word.count))
      } else if name.hasPrefix(word) {
        name = trimmed(name.dropFirst(word.count))
      }
    }
    return name.isEmpty ? nil : String(name)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

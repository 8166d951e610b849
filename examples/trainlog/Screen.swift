import ExampleShared
import Foundation
import OpenWOApp

/// What a person sees: the terminal is the screen.
struct Screen {
  let language: Language

  var terminal: Terminal { Terminal("trainlog", TrainLog.profile, language) }
  var texts: Catalogue { terminal.texts }

  func line(_ text: Line) { terminal.line(text.words) }

  func note(_ text: String) { terminal.note(text) }

  func mistake(_ text: Line) -> Mistake { Mistake(text.words) }

  func show(favorites: [String]) {
    if favorites.isEmpty { line(.noFavorites) }
    favorites.forEach(terminal.line)
  }

  /// The latest first, each with the number by which it is edited and deleted.
  func show(_ workouts: [Workout], _ unit: WeightUnit) {
    if workouts.isEmpty { line(.empty) }
    for (index, workout) in workouts.enumerated() {
      let exercises = Dictionary(grouping: workout.sets, by: \.exerciseId).sorted {
        $0.key < $1.key
      }
      let sets = exercises.map { name, sets in
        "\(name) " + sets.map { $0.text(in: unit, language) }.joined(separator: ", ")
      }
      let words = [local(workout.date), sets.joined(separator: "; "), workout.note]
      terminal.line("\(index + 1)  " + words.filter { !$0.isEmpty }.joined(separator: "  "))
    }
  }

  /// A moment in the person's time zone.
  private func local(_ time: String) -> String {
    guard let date = try? Date(time, strategy: .iso8601) else { return time }
    return texts.time(Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000)))
  }
}

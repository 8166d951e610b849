import Foundation
import OpenWOApp

/// What a person sees: the terminal stands in for the screen.
enum Screen {
  static func line(_ text: String) { print(text) }

  static func note(_ text: String) {
    FileHandle.standardError.write(Data("trainlog: \(text)\n".utf8))
  }

  static func complain(_ error: StoreError) {
    note("error: \(error.message)")
    note("hint: \(error.hint)")
  }

  static func show(_ workouts: [Workout], _ unit: WeightUnit) {
    if workouts.isEmpty { line("nothing logged yet") }
    for workout in workouts {
      let sets = workout.sets.map { set in
        let weight = set.weight.map { unit.text($0) } ?? "-"
        return "\(set.exerciseId) \(weight) x \(set.reps ?? 0)"
      }
      line("\(workout.date)  \(sets.joined(separator: ", "))  \(workout.note)")
    }
  }
}

import ExampleShared
import OpenWOApp
import OpenWOSQLite

/// The workouts of the list that was shown last on this device, by whose numbers a person means them.
///
/// Another device's workout may come at any moment, and it moves the numbers.
struct ShownWorkouts {
  let values: DeviceValues

  private static let key = "shownWorkouts"

  /// The ids, the newest workout first; none before a list was shown.
  var ids: [String] {
    get { (values[Self.key]?.text ?? "").split(separator: "\n").map(String.init) }
    nonmutating set { try? values.set(Self.key, newValue.joined(separator: "\n")) }
  }

  /// The workout with a number of that list, or with an id.
  func workout(_ word: String, in db: Connection) throws -> Workout {
    let all = try Workout.all(in: db)
    let known = ids.isEmpty ? all.map(\.id) : ids
    let number = Int(word).map { $0 - 1 }
    let id = number.flatMap { known.indices.contains($0) ? known[$0] : nil } ?? word
    guard let found = all.first(where: { $0.id == id }) else {
      throw Mistake(
        en: "there is no workout \(word); see the numbers with: trainlog list",
        ja: "ワークアウト\(word)はありません。番号はtrainlog listで確認できます。")
    }
    return found
  }
}

/// Workouts, sessions and the challenge.
extension Screen {
  func show(_ workouts: [Workout]) {
    if workouts.isEmpty { line("no workouts") }
    for workout in workouts {
      let done = workout.lastDone.map { ", last done \($0)" } ?? ""
      line("\(workout.id)  \(workout.name) (\(count(workout.exercises, "exercise"))\(done))")
    }
  }

  func show(_ plan: Plan) {
    let words = plan.workout.description
    line(words.isEmpty ? plan.workout.name : "\(plan.workout.name): \(words)")
    for (index, entry) in plan.entries.enumerated() {
      let unit = entry.measure == "seconds" ? " s" : ""
      let weight = entry.lastWeight.map { ", last time \(kilograms($0))" } ?? ""
      line("  \(index + 1). \(entry.name)  \(entry.sets) x \(entry.target)\(unit)\(weight)")
    }
  }

  func show(_ sessions: [Session]) {
    if sessions.isEmpty { line("no sessions yet") }
    for session in sessions { line(summary(session)) }
  }

  func show(logged session: Session) {
    line("logged \(summary(session))")
  }

  func show(_ challenge: Challenge) {
    line(
      "\(challenge.date): \(count(challenge.setsCompleted, "set")), "
        + "\(count(challenge.streak, "day")) in a row")
  }

  private func summary(_ session: Session) -> String {
    var text = "session \(session.id)  \(session.date)  \(session.type)"
    text += "  \(count(session.exercises, "exercise"))"
    if session.failed > 0 { text += ", \(session.failed) failed" }
    if session.isPartial { text += ", not all of it" }
    if session.durationSeconds > 0 { text += ", \(session.durationSeconds / 60) min" }
    if let feedback = session.feedback { text += "  \"\(feedback)\"" }
    return text
  }

  func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  private func kilograms(_ weight: Double) -> String {
    weight == weight.rounded() && weight < 1e9 ? "\(Int(weight)) kg" : "\(weight) kg"
  }
}

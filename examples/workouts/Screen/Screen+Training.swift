/// Workouts, sessions and the challenge.
extension Screen {
  func show(_ workouts: [Workout]) {
    if workouts.isEmpty { line(say("no workouts", "ワークアウトがありません")) }
    for workout in workouts {
      let done = workout.lastDone.map { say(", last done \($0)", "、前回\($0)") } ?? ""
      let exercises = say(count(workout.exercises, "exercise"), "\(workout.exercises)種目")
      line("\(workout.id)  \(workout.name) (\(exercises)\(done))")
    }
  }

  func show(_ plan: Plan) {
    let words = plan.workout.description
    line(words.isEmpty ? plan.workout.name : "\(plan.workout.name): \(words)")
    for (index, entry) in plan.entries.enumerated() {
      let unit = entry.measure == "seconds" ? say(" s", "秒") : ""
      let weight =
        entry.lastWeight.map { say(", last time \(kilograms($0))", "、前回\(kilograms($0))") } ?? ""
      line("  \(index + 1). \(entry.name)  \(entry.sets) x \(entry.target)\(unit)\(weight)")
    }
  }

  func show(_ sessions: [Session]) {
    if sessions.isEmpty { line(say("no sessions yet", "まだ記録がありません")) }
    for session in sessions { line(summary(session)) }
  }

  func show(logged session: Session) {
    line(say("logged ", "記録しました：") + summary(session))
  }

  func show(_ challenge: Challenge) {
    line(
      "\(challenge.date): "
        + say(
          "\(count(challenge.setsCompleted, "set")), \(count(challenge.streak, "day")) in a row",
          "\(challenge.setsCompleted)セット、\(challenge.streak)日連続"))
  }

  private func summary(_ session: Session) -> String {
    let minutes = session.durationSeconds / 60
    var text = say("session ", "記録") + "\(session.id)  \(session.date)  \(session.type)"
    text += "  " + say(count(session.exercises, "exercise"), "\(session.exercises)種目")
    if session.failed > 0 { text += say(", \(session.failed) failed", "、失敗\(session.failed)") }
    if session.isPartial { text += say(", not all of it", "、一部のみ") }
    if session.durationSeconds > 0 { text += say(", \(minutes) min", "、\(minutes)分") }
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

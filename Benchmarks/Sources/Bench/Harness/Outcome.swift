/// One line of the table.
struct Outcome: Codable {
  var group: String
  var work: String
  var measure: Measure
  var ours: Double
  var peer: String?
  var peerValue: Double?
  /// Ours to the peer's, the median of all rounds; without a peer the figure itself.
  var ratio: Double
  var low, high: Double
  var limit: Double?
  var goal: String
  var rounds: Int
  var met: Bool?

  init(
    group: String, work: String, measure: Measure, ours: Double, peer: String?, peerValue: Double?,
    ratio: Double, low: Double, high: Double, limit: Double, goal: String, rounds: Int
  ) {
    self.group = group
    self.work = work
    self.measure = measure
    self.ours = ours
    self.peer = peer
    self.peerValue = peerValue
    self.ratio = ratio
    (self.low, self.high) = (low, high)
    self.limit = limit.isFinite ? limit : nil
    self.goal = goal
    self.rounds = rounds
    met = limit.isFinite ? ratio <= limit : nil
  }

  /// The line in Markdown.
  var row: String {
    let isFaster = goal.contains("better")
    func shown(_ ratio: Double) -> String {
      peer == nil ? measure.text(ratio) : digits(isFaster ? 1 / ratio : ratio)
    }
    let spread = isFaster ? "\(shown(high))–\(shown(low))" : "\(shown(low))–\(shown(high))"
    let verdict: String =
      switch (met, limit) {
      case (true?, _): "met"
      case (false?, let limit?): "**misses by \(digits(ratio / limit)) ×**"
      default: "–"
      }
    let theirs = peerValue.map { measure.text($0) } ?? "–"
    return "| \(work) | \(measure.rawValue) | \(measure.text(ours)) | \(peer ?? "–") | \(theirs) | "
      + "\(peer == nil ? "–" : shown(ratio) + " ×") | \(spread) | \(goal) | \(verdict) |"
  }

  static let head =
    "| work | measure | ours | peer | peer's | ratio | middle half | goal | |\n"
    + "|---|---|---:|---|---:|---:|---:|---|---|"
}

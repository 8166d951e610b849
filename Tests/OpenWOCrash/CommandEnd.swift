/// How a command may end.
enum CommandEnd {
  /// The statuses that it documents.
  static let documented: Set<Int32> = [0, 1, 3, 10, 11, 12, 13, 20, 21, 22, 23, 64]

  /// The faults of its end and its output, if only these statuses are permitted.
  static func violations(
    _ done: (end: Child.End, output: String), allowing allowed: Set<Int32> = documented
  ) -> [String] {
    var wrong: [String] = []
    switch done.end {
    case .hung: wrong.append("it does not come to an end")
    case .signalled(let signal): wrong.append("it ends by signal \(signal)")
    case .exited(let status):
      if !allowed.contains(status) { wrong.append("it ends with \(status)") }
      if status != 0, !done.output.contains("openwo: error: ") {
        wrong.append("it ends with \(status) and does not say why")
      }
    }
    for word in ["Fatal error", "Swift/", "Segmentation", "backtrace"]
    where done.output.contains(word) {
      wrong.append("it says \(word)")
    }
    return wrong.isEmpty ? [] : wrong + ["it said: \(done.output.suffix(300))"]
  }
}

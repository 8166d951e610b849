import Glibc

/// What one run of a case took.
struct Sample {
  var wall: Double
  var cpu: Double
  /// Bytes written, where the case says so.
  var bytes: Double?
  /// The most memory that a program held, where it was one of its own.
  var memory: Double?
  /// How often a program went to sleep.
  var switches: Double?
  /// Files that were added, changed or removed, where the case says so.
  var files: Double?

  subscript(measure: Measure) -> Double? {
    switch measure {
    case .wall: wall
    case .cpu: cpu
    case .bytes: bytes
    case .memory: memory
    case .switches: switches
    case .files: files
    }
  }
}

/// What is compared.
enum Measure: String, Codable {
  case wall, cpu, bytes, memory, switches, files

  /// A value as people read it.
  func text(_ value: Double) -> String {
    switch self {
    case .wall, .cpu: value < 0.001 ? "\(digits(value * 1e6)) µs" : "\(digits(value * 1e3)) ms"
    case .switches, .files: digits(value)
    case .bytes, .memory: value < 1e6 ? "\(digits(value / 1e3)) KB" : "\(digits(value / 1e6)) MB"
    }
  }
}

/// Three digits that count.
func digits(_ value: Double) -> String {
  guard value.isFinite else { return "–" }
  if value >= 100 { return String(Int(value.rounded())) }
  let factor: Double = value >= 10 ? 10 : value >= 1 ? 100 : 1000
  let whole = Int((value * factor).rounded())
  let text = String(whole % Int(factor))
  let zeros = String(factor).count - 3 - text.count
  return "\(whole / Int(factor)).\(String(repeating: "0", count: max(0, zeros)))\(text)"
}

extension Sample {
  private static func time(_ clock: clockid_t) -> Double {
    var moment = timespec()
    clock_gettime(clock, &moment)
    return Double(moment.tv_sec) + Double(moment.tv_nsec) * 1e-9
  }

  /// Runs a body in this process; the CPU time is that of all its threads.
  static func of(_ body: () throws -> Void) rethrows -> Sample {
    let (wall, cpu) = (time(CLOCK_MONOTONIC), time(CLOCK_PROCESS_CPUTIME_ID))
    try body()
    return Sample(
      wall: time(CLOCK_MONOTONIC) - wall, cpu: time(CLOCK_PROCESS_CPUTIME_ID) - cpu)
  }
}

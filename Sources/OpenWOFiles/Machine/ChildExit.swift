/// How a child process ended.
package enum ChildExit: Sendable, Hashable {
  case exited(Int32)
  case signalled(Int32)

  /// The status as a shell gives it: that of the program, or 128 and the signal.
  package var status: Int32 {
    switch self {
    case .exited(let status): status
    case .signalled(let signal): 128 + signal
    }
  }

  /// How it ended, in words.
  package var sentence: String {
    switch self {
    case .exited(let status): "it ended with \(status)"
    case .signalled(let signal): "signal \(signal) ended it"
    }
  }
}

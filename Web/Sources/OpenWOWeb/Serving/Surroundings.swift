import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The variables that the process was started with.
enum Surroundings {
  /// A variable's value; nil if it is missing or empty.
  static subscript(name: String) -> String? {
    guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else { return nil }
    return value
  }
}

/// The clock on the wall.
enum ContinuousMoment {
  /// Milliseconds since 1970.
  static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

/// Runs a body on a thread that may wait for files.
func offCaller<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: body()) }
  }
}

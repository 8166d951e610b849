#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The variables that the process was started with.
enum Variables {
  /// A variable's value; nil if it is missing or empty.
  static subscript(name: String) -> String? {
    guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else { return nil }
    return value
  }
}

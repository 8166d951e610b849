import Foundation

/// Threads that all run at the same time, however few cores there are.
struct Crew: Sendable {
  var count: Int

  /// Runs the body on each, and waits for all.
  func run(_ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }.start()
    }
    group.wait()
  }
}

import Foundation

/// The person's wish that the app ends: ^C, or a polite kill.
enum Interruption {
  /// Returns when it comes; until then it does not end the app at once.
  static func wait() async {
    let (interruptions, continuation) = AsyncStream<Void>.makeStream()
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { @Sendable in continuation.yield() }
      source.resume()
      return source
    }
    for await _ in interruptions { break }
    for source in sources { source.cancel() }
  }
}

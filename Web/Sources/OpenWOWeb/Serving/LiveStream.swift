import Hummingbird
import ServiceLifecycle

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tells a page that its store may have changed, as `text/event-stream`.
///
/// It looks at the times of a few files and folders, twice a second, and reads none: the page asks for what is new.
struct LiveStream: Sendable {
  let watched: [String]
  /// The mark of what the page shows; a change that came before the stream is told at once.
  let shown: String?
  static let kind = "text/event-stream; charset=utf-8"

  /// The stream.
  var body: ResponseBody { Self.stream(shown) { Self.mark(of: watched) } }

  private static func stream(
    _ shown: String?, _ look: @escaping @Sendable () -> String
  ) -> ResponseBody {
    ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "retry: 1000\nevent: beat\ndata: 1\n\n"))
      var seen = await offCaller { look() }
      if seen != shown {
        try await writer.write(ByteBuffer(string: "event: change\ndata: 0\n\n"))
      }
      var rounds = 0
      var again = 0
      while !Task.isShuttingDownGracefully, !Task.isCancelled {
        try await Task.sleep(for: .milliseconds(500))
        rounds += 1
        let found = await offCaller { look() }
        // A later effect without its own event, such as a capture, is seen a moment later.
        again = found == seen ? max(0, again - 1) : 4
        if found != seen || again == 1 {
          try await writer.write(ByteBuffer(string: "event: change\ndata: \(rounds)\n\n"))
        }
        seen = found
        if rounds.isMultiple(of: 10) {
          try await writer.write(ByteBuffer(string: "event: beat\ndata: \(rounds)\n\n"))
        }
      }
      try await writer.finish(nil)
    }
  }

  /// A mark that shows whether one of the files and folders changed; it means something to this process only.
  static func mark(of paths: [String]) -> String {
    var marks = Hasher()
    for path in paths { marks.combine(mark(of: path)) }
    return String(UInt(bitPattern: marks.finalize()), radix: 36)
  }

  private static func mark(of path: String) -> String {
    guard let found = try? FileManager.default.attributesOfItem(atPath: path) else { return "" }
    let time = (found[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    return "\(time) \(found[.size] ?? "") \(found[.systemFileNumber] ?? "")"
  }
}

import FoundationEssentials
import Hummingbird
import ServiceLifecycle

/// Tells a page that its store may have changed, as `text/event-stream`.
///
/// It looks at the times of a few files and folders, twice a second, and reads none: the page asks for what is new.
struct LiveStream: Sendable {
  let watched: [String]
  static let kind = "text/event-stream; charset=utf-8"

  /// The stream.
  var body: ResponseBody { Self.stream { Self.marks(of: watched) } }

  private static func stream(_ look: @escaping @Sendable () -> [String]) -> ResponseBody {
    ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "retry: 1000\nevent: beat\ndata: 1\n\n"))
      var seen = await offCaller { look() }
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

  /// Marks that show whether a file or folder changed.
  private static func marks(of paths: [String]) -> [String] {
    paths.map { path in
      guard let found = try? FileManager.default.attributesOfItem(atPath: path) else { return "" }
      let time = (found[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
      return "\(time) \(found[.size] ?? "") \(found[.systemFileNumber] ?? "")"
    }
  }
}

import Dispatch
import OpenWOHistory
import Synchronization

/// Reports the progress of a tool to its caller, if requested.
final class ProgressTeller: Sendable {
  private let token: JSONValue?
  private let send: @Sendable (JSONValue) -> Void
  private let told = Mutex(Int64(0))

  /// A token is a number or a text that the caller has chosen.
  init(_ token: JSONValue?, _ send: @escaping @Sendable (JSONValue) -> Void) {
    self.token = RemoteCall.ID(token)?.json
    self.send = send
  }

  /// Reports the current step; the number increases each time.
  func tell(_ step: String) {
    guard let token else { return }
    told.withLock { count in
      count += 1
      let params = JSONValue.object([
        "progressToken": token, "progress": .integer(count), "message": .string(step),
      ])
      send(
        .object([
          "jsonrpc": .string("2.0"), "method": .string("notifications/progress"),
          "params": params,
        ]))
    }
  }

  /// Runs a body and tells each second that it still runs.
  func ticking<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard token != nil else { return try body() }
    let (stop, stopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue(label: "openwo.assistant.progress").async { [self] in
      while stop.wait(timeout: .now() + .seconds(1)) == .timedOut { tell("working") }
      stopped.signal()
    }
    defer {
      stop.signal()
      stopped.wait()
    }
    return try body()
  }
}

import Dispatch
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import OpenWOShell
import Synchronization

/// One conversation with an assistant's program, from its first line to its last.
///
/// Lines are read on one thread. Tools run on another, one after the other, so that a call can be cancelled while it runs.
final class AssistantSession: Sendable {
  private struct State {
    /// nil until the first message that tells.
    var era: ProtocolEra?
    /// The calls that run or wait.
    var running: [RemoteCall.ID: StopSign] = [:]
    var isEnded = false
  }

  /// More calls at once than any assistant makes.
  private static let mostCalls = 64

  private let tools: [Tool]
  private let stores: AssistantStores
  private let send: @Sendable (JSONValue) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "openwo.tools")

  init(
    _ stores: AssistantStores, tools: [Tool], send: @escaping @Sendable (JSONValue) -> Void
  ) {
    (self.stores, self.tools, self.send) = (stores, tools, send)
  }

  /// Takes in one line.
  func receive(_ line: [UInt8]) {
    let call: RemoteCall
    do {
      guard let read = try RemoteCall(line) else { return }
      call = read
      guard let id = call.id else { return told(call) }
      if let result = try answer(call, id) {
        send(.object(["jsonrpc": .string("2.0"), "id": id.json, "result": result]))
      }
    } catch let refusal as Refusal {
      send(refusal.answer(to: RemoteCall.ID(refusal.id?.json) ?? Self.id(of: line)))
    } catch {
      send(Refusal(.invalidRequest, "\(error)").answer(to: nil))
    }
  }

  /// Answers that a line is too long.
  func refuseLongLine() {
    send(Refusal(.parseError, "a message of more than \(Self.longestLine) bytes").answer(to: nil))
  }

  /// The longest message that is read, in bytes.
  static let longestLine = 8 << 20

  private static func id(of line: [UInt8]) -> RemoteCall.ID? {
    (try? JSONParser.parse(line, .request)).flatMap { RemoteCall.ID($0["id"]) }
  }

  /// Waits until all calls have ended.
  func finish() {
    queue.sync {}
  }

  /// Stops all that runs and waits; nothing is answered from now on.
  func stop() {
    let signs = state.withLock { state in
      state.isEnded = true
      return Array(state.running.values)
    }
    for sign in signs { sign.stop() }
  }

  /// Waits up to a time for calls that were stopped, so that they release what they hold.
  func waitForEnd(_ time: DispatchTimeInterval) {
    let ended = DispatchSemaphore(value: 0)
    queue.async { ended.signal() }
    _ = ended.wait(timeout: .now() + time)
  }
}

/// The methods.
extension AssistantSession {
  private func told(_ call: RemoteCall) {
    guard call.method == "notifications/cancelled", let id = RemoteCall.ID(call.params["requestId"])
    else { return }
    state.withLock { $0.running[id] }?.stop()
  }

  /// The result of a call; nil if it comes later.
  private func answer(_ call: RemoteCall, _ id: RemoteCall.ID) throws -> JSONValue? {
    let era = try era(of: call)
    switch call.method {
    case "initialize": return try initialize(call)
    case "server/discover" where era == .perRequest: return discover(era)
    case "ping" where era != .perRequest: return era.result([])
    case "tools/list":
      guard call.params["cursor"]?.asText == nil else {
        throw Refusal(.invalidParams, "there is one page of tools")
      }
      let list = tools.map { $0.description(stores) }
      return era.result([JSONMember("tools", .array(list))], isConstant: true)
    case "tools/call":
      try begin(call, id, era)
      return nil
    default:
      throw Refusal(.methodNotFound, "there is no method \(String(printable: call.method.utf8))")
    }
  }

  /// The era of the conversation, which the first call that tells decides.
  private func era(of call: RemoteCall) throws -> ProtocolEra {
    let isStamped = ProtocolEra.isStamped(call)
    let known = state.withLock { state in
      if state.era == nil, isStamped, call.method != "initialize" { state.era = .perRequest }
      return state.era
    }
    switch known {
    case .perRequest where call.method == "initialize":
      throw ProtocolEra.unsupported(call.params["protocolVersion"]?.asText ?? "")
    case .perRequest: try ProtocolEra.checkStamp(call)
    case .handshake where isStamped && call.method != "initialize":
      throw Refusal(.invalidRequest, "this conversation began with initialize")
    default: break
    }
    return known ?? .handshake(ProtocolEra.newestHandshake)
  }

  private static let capabilities = JSONValue.object(["tools": .object([JSONMember]())])

  private func initialize(_ call: RemoteCall) throws -> JSONValue {
    guard let wanted = call.params["protocolVersion"]?.asText else {
      throw Refusal(.invalidParams, "initialize says no protocolVersion")
    }
    let version =
      ProtocolEra.handshakeVersions.contains(wanted) ? wanted : ProtocolEra.newestHandshake
    state.withLock { $0.era = .handshake(version) }
    return .object([
      "protocolVersion": .string(version), "capabilities": Self.capabilities,
      "serverInfo": ProtocolEra.server, "instructions": .string(stores.instructions),
    ])
  }

  private func discover(_ era: ProtocolEra) -> JSONValue {
    era.result(
      [
        JSONMember("supportedVersions", .texts(ProtocolEra.perRequestVersions)),
        JSONMember("capabilities", Self.capabilities),
        JSONMember("instructions", .string(stores.instructions)),
      ], isConstant: true)
  }

  /// Runs a tool after the earlier calls.
  private func begin(_ call: RemoteCall, _ id: RemoteCall.ID, _ era: ProtocolEra) throws {
    let name = call.params["name"]?.asText ?? ""
    guard let tool = tools.first(where: { $0.name == name }) else {
      throw Refusal(.invalidParams, "there is no tool \(String(printable: name.utf8))")
    }
    let arguments = call.params["arguments"] ?? .object([JSONMember]())
    guard arguments.isObject else { throw Refusal(.invalidParams, "arguments is not an object") }
    let sign = StopSign()
    try state.withLock { state in
      guard state.running[id] == nil else {
        throw Refusal(.invalidRequest, "a call with this id runs already")
      }
      guard state.running.count < Self.mostCalls else {
        throw Refusal(.busy, "too many calls wait; nothing was done")
      }
      state.running[id] = sign
    }
    let teller = ProgressTeller(call.meta?["progressToken"], send)
    queue.async { [self] in
      let result = sign.isStopped ? nil : run(tool, arguments, sign, teller)
      let isWanted = state.withLock { state in
        state.running[id] = nil
        return !state.isEnded && !sign.isStopped
      }
      guard isWanted, let result else { return }
      send(
        .object(["jsonrpc": .string("2.0"), "id": id.json, "result": era.result(result)]))
    }
  }

  private func run(
    _ tool: Tool, _ arguments: JSONValue, _ sign: StopSign, _ teller: ProgressTeller
  ) -> [JSONMember] {
    do {
      let words = try ToolArguments(arguments, tool, stores)
      let call = ToolCall(
        store: try stores.store(named: words.text("store")), arguments: words, stop: sign,
        progress: teller)
      let members = try teller.ticking { try tool.run(call) }
      return Self.result(.object(members), isError: false)
    } catch {
      let error = StoreError(any: error)
      let value = JSONValue.error(error, ExitCode(error.code))
      return Self.result(
        value, isError: true, text: "error: \(error.message)\nhint: \(error.hint)")
    }
  }

  private static func result(
    _ value: JSONValue, isError: Bool, text: String? = nil
  ) -> [JSONMember] {
    let content = JSONValue.object([
      "type": .string("text"), "text": .string(text ?? value.line),
    ])
    return [
      JSONMember("content", .array([content])), JSONMember("structuredContent", value),
      JSONMember("isError", .bool(isError)),
    ]
  }
}

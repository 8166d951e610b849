import OpenWOHistory

/// One thing that an assistant can ask for.
struct Tool: Sendable {
  /// The effect of a tool on the database, so that an assistant's program knows when to ask a
  /// person.
  enum Effect: Sendable {
    /// Only looks.
    case looks
    /// Changes rows; doing it twice does more than doing it once, or not.
    case changes(isIdempotent: Bool)
  }

  let name: String
  let title: String
  let summary: String
  let effect: Effect
  let parameters: [ToolParameter]
  /// The members of the result.
  let output: [ToolParameter]
  let run: @Sendable (ToolCall) throws -> [JSONMember]

  /// All that are offered.
  static func all(isReadOnly: Bool) -> [Tool] {
    let tools: [Tool] = [
      .status, .schema, .history, .diff, .conflicts, .query, .previewEdit, .edit, .undo, .restore,
      .merge,
    ]
    return tools.filter { tool in
      if case .looks = tool.effect { return true }
      return !isReadOnly
    }
  }

  /// How the tool is described to the assistant's program.
  func description(_ stores: AssistantStores) -> JSONValue {
    .object([
      "name": .string(name), "title": .string(title), "description": .string(summary),
      "inputSchema": ToolParameter.schema(parameters(for: stores), isClosed: true),
      "outputSchema": ToolParameter.schema(output, isClosed: false), "annotations": annotations,
    ])
  }

  /// The parameters, with that for the database.
  func parameters(for stores: AssistantStores) -> [ToolParameter] {
    let kind = JSONValue.object(["type": .string("string"), "enum": .texts(stores.names)])
    var parameter = ToolParameter("store", kind, "The database, by its name.")
    parameter.isRequired = stores.entries.count > 1
    return [parameter] + parameters
  }

  private var annotations: JSONValue {
    var (isReadOnly, isIdempotent) = (true, true)
    if case .changes(let isSameTwice) = effect { (isReadOnly, isIdempotent) = (false, isSameTwice) }
    return .object([
      "title": .string(title), "readOnlyHint": .bool(isReadOnly),
      "destructiveHint": .bool(!isReadOnly), "idempotentHint": .bool(isIdempotent),
      "openWorldHint": .bool(false),
    ])
  }
}

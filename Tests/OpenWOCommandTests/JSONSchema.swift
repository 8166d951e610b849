import Foundation

/// As much of JSON Schema as `docs/openwo.schema.json` uses.
struct JSONSchema {
  let root: [String: Any]

  /// The faults of a value; of several permitted forms, the one with the fewest faults counts.
  func faults(in value: Any) -> [String] { faults(in: value, root, "$") }

  /// The names of all members that a document can have.
  var fields: Set<String> { fields(in: root) }

  private func fields(in schema: Any) -> Set<String> {
    if let list = schema as? [Any] { return Set(list.flatMap { fields(in: $0) }) }
    guard let object = schema as? [String: Any] else { return [] }
    let own = Set((object["properties"] as? [String: Any] ?? [:]).keys)
    return own.union(object.values.flatMap { fields(in: $0) })
  }

  private func faults(in value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last,
      let definition = (root["$defs"] as? [String: Any])?[String(name)] as? [String: Any]
    {
      return faults(in: value, definition, path)
    }
    for word in ["oneOf", "anyOf"] {
      guard let forms = schema[word] as? [[String: Any]] else { continue }
      let all = forms.map { faults(in: value, $0, path) }
      return all.min { $0.count < $1.count } ?? []
    }
    if let constant = schema["const"] as? String, constant != value as? String {
      // Another document altogether.
      return (0..<9).map { _ in "\(path) is not \(constant)" }
    }
    if let kinds = schema["type"].map({ $0 as? [String] ?? [$0 as? String ?? ""] }),
      !kinds.contains(where: { Self.isOf($0, value) })
    {
      return ["\(path) is not of \(kinds)"]
    }
    if let words = schema["enum"] as? [Any],
      !words.contains(where: { "\($0)" == "\(value)" || $0 is NSNull && value is NSNull })
    {
      return ["\(path) is none of \(words)"]
    }
    if let pattern = schema["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      return ["\(path) is not like \(pattern)"]
    }
    return members(of: value, schema, path) + items(of: value, schema, path)
  }

  private func members(of value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    guard let object = value as? [String: Any] else { return [] }
    let known = schema["properties"] as? [String: [String: Any]] ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
    let isOpen = schema["additionalProperties"] as? Bool != false
    return missing.map { "\(path).\($0) is missing" }
      + object.flatMap { name, member -> [String] in
        if let form = known[name] { return faults(in: member, form, "\(path).\(name)") }
        return isOpen ? [] : ["\(path).\(name) is not known"]
      }
  }

  private func items(of value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    guard let list = value as? [Any], let form = schema["items"] as? [String: Any] else {
      return []
    }
    return list.enumerated().flatMap { faults(in: $1, form, "\(path)[\($0)]") }
  }

  private static func isOf(_ kind: String, _ value: Any) -> Bool {
    let number = value as? NSNumber
    let isBool = number.map { CFBooleanIs($0) } ?? false
    return switch kind {
    case "null": value is NSNull
    case "boolean": isBool
    case "integer": !isBool && number.map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case "number": !isBool && number != nil
    case "string": value is String
    case "array": value is [Any]
    case "object": value is [String: Any]
    default: false
    }
  }

  /// Whether a number is one of the two truth values.
  private static func CFBooleanIs(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }
}

import OpenWOCSQLite

/// The values for the parameters of a statement that somebody else has written.
package enum Arguments: Sendable {
  /// One for each parameter, in order.
  case inOrder([Value])
  /// By the names of the parameters, with or without the sign before them.
  case byName([String: Value])

  package static let none = Arguments.inOrder([])
}

extension Statement {
  /// Binds the arguments, one for each parameter, and starts before the first row.
  package func start(with arguments: Arguments) throws {
    switch arguments {
    case .inOrder(let values): try start(arguments: values)
    case .byName(let values): try start(arguments: try ordered(values))
    }
  }

  /// Values in the order of the parameters.
  private func ordered(_ values: [String: Value]) throws -> [Value] {
    var unused = Set(values.keys)
    let ordered = try (0..<parameterCount).map { index in
      guard let text = sqlite3_bind_parameter_name(handle, index + 1) else {
        throw SQLiteError(.range, "parameter \(index + 1) has no name", sql: sql)
      }
      let name = String(cString: text)
      for key in [name, String(name.dropFirst())] {
        guard let value = values[key] else { continue }
        unused.remove(key)
        return value
      }
      throw SQLiteError(.range, "there is no value for the parameter \(name)", sql: sql)
    }
    guard let name = unused.min() else { return ordered }
    throw SQLiteError(.range, "there is no parameter \(name)", sql: sql)
  }
}

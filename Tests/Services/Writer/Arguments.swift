/// The writer's command line: a verb, the database, and `--name value` pairs.
struct Arguments {
  struct Misused: Error, CustomStringConvertible { let description: String }

  let verb: String
  let database: String
  private var values: [String: String] = [:]

  init(_ words: [String]) throws {
    guard words.count >= 3 else {
      throw Misused(description: "usage: VERB DATABASE [--name value]")
    }
    (verb, database) = (words[1], words[2])
    var rest = words[3...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Misused(description: "\(name) has no value") }
      values[name] = value
    }
  }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw Misused(description: "\(name) is missing") }
    return value
  }
}

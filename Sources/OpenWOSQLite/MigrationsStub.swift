public struct Migrations: Sendable {
  public init() {}
  package func isNeeded(from: Int32) throws -> Bool { false }
  package func run(on: Connection) throws {}
}

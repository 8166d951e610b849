import OpenWOSQLite
import SystemPackage

@testable import OpenWOMerge

/// A base and two sides that grew from it, and the results of merging them.
struct MergeScene {
  let scratch: Scratch
  let base: TestDatabase
  let ours: TestDatabase
  let theirs: TestDatabase
  var options = MergeOptions(times: Sides(ours: 1, theirs: 2), first: .ours)
  var hasBase = true

  init(_ schema: String, ours: String, theirs: String) throws {
    scratch = try Scratch()
    base = try scratch.database(schema)
    self.ours = try scratch.copy(base, ours)
    self.theirs = try scratch.copy(base, theirs)
  }

  init(_ scratch: Scratch, _ base: TestDatabase, _ ours: TestDatabase, _ theirs: TestDatabase) {
    self.scratch = scratch
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  /// Merges, and checks that the result is whole, and the same if no updated row stays in memory.
  func merge() throws -> (result: TestDatabase, report: MergeReport) {
    let found = Result { try merge(options) }
    let spilled = Result { try spilling { try merge($0) } }
    guard case (.success(let one), .success(let other)) = (found, spilled) else {
      let refusals = [found, spilled].map { result -> MergeRefusal? in
        guard case .failure(let error) = result else { return nil }
        return error as? MergeRefusal
      }
      guard refusals[0] == refusals[1] else { throw Broken() }
      return try found.get()
    }
    guard one.report == other.report,
      try difference(from: one.result.connection, to: other.result.connection).equal
    else { throw Broken() }
    return one
  }

  /// Runs a body with options by which no updated row stays in memory that need not.
  func spilling<Value>(_ body: (MergeOptions) throws -> Value) throws -> Value {
    let file = SpillFile {
      try Connection(
        path: FilePath(scratch.path("spill-\(Int.random(in: 0..<Int.max)).sqlite")),
        Connection.Options(mode: .create, guardPolicy: .privateCopy))
    }
    defer { file.close() }
    var options = options
    options.spill = file
    options.spillLimit = 0
    return try body(options)
  }

  /// What a merge with these options decides.
  func plan(_ options: MergeOptions) throws -> MergePlan {
    try MergePlanner(
      base: hasBase ? base.connection : nil, ours: ours.connection, theirs: theirs.connection,
      options: options
    ).plan()
  }

  func merge(_ options: MergeOptions) throws -> (result: TestDatabase, report: MergeReport) {
    let plan = try plan(options)
    let result = try scratch.copy(plan.ground == .ours ? ours : theirs)
    let report = try plan.write(into: result.connection)
    guard try result.connection.integrityCheck().isEmpty else { throw Broken() }
    return (result, report)
  }

  struct Broken: Error {}

  /// The same merge as the other device sees it.
  var mirrored: MergeScene {
    var scene = MergeScene(scratch, base, theirs, ours)
    scene.options = options
    scene.options.times = Sides(ours: options.times.theirs, theirs: options.times.ours)
    scene.options.moments = Sides(ours: options.moments.theirs, theirs: options.moments.ours)
    scene.options.first = options.first.other
    scene.hasBase = hasBase
    return scene
  }

  /// The result of a query after the merge, one row a line; throws if the devices differ.
  func outcome(_ query: String) throws -> [String] {
    let mine = try merge().result.lines(query)
    guard try mirrored.merge().result.lines(query) == mine else { throw Broken() }
    return mine
  }
}

extension TestDatabase {
  /// The rows of a query as text.
  func lines(_ query: String) throws -> [String] {
    try cells(query).map { row in
      row.map { value in
        switch value {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes): "x'\(SQLLiteral.hex(bytes))'"
        }
      }.joined(separator: "|")
    }
  }
}

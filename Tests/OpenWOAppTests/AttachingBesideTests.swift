import Corpora
import Foundation
import Household
import OpenWOApp
import OpenWOFiles
import OpenWOSQLite
import Synchronization
import SystemPackage
import Testing

/// Another program keeps using the local file while it moves into the folder: its commits are in
/// the folder, too.
struct AttachingBesideTests {
  private let profile = Notes.profile()

  /// A program that adds a note and takes one away.
  private final class Program: Sendable {
    private let file: FilePath
    private let done = Mutex(false)

    init(_ house: Household) { file = FilePath(path(house)) }

    /// Whether it has committed.
    var isDone: Bool { done.withLock { $0 } }

    func run() {
      let options = Connection.Options(
        mode: .readWrite, guardPolicy: .privateCopy, busyTimeout: .zero)
      guard let connection = try? Connection(path: file, options) else { return }
      defer { connection.close() }
      let script = """
        BEGIN IMMEDIATE; DELETE FROM note WHERE id = 'b';
        INSERT INTO note (id, text) VALUES ('p', 'program'); COMMIT
        """
      done.withLock { $0 = (try? connection.executeScript(script)) != nil }
    }
  }

  private static func path(_ house: Household) -> String {
    house.data("phone").appending(path: "Notes.sqlite").path
  }

  /// A phone with data of its own, and its folder: empty, or with the data of a mac.
  private func stage(hasData: Bool) async throws -> Household {
    let house = try Household()
    try await house.on("phone", profile) { app in
      for (id, text) in [("a", "milk"), ("b", "bread")] { try app.add(id, text) }
    }
    guard hasData else {
      _ = try house.places("phone")
      return house
    }
    _ = try house.places("mac")
    try await house.on("mac", profile) { try $0.add("m", "mac") }
    try FileManager.default.copyItem(at: house.folder("mac"), to: house.folder("phone"))
    return house
  }

  /// When the program commits: once the file was copied, before the store is made or merged, and before the file gets its other name.
  private enum Moment: CaseIterable {
    case copied, merged, renamed

    func isCome(_ call: SystemCall) -> Bool {
      let name = call.path?.lastComponent?.string
      return switch self {
      case .copied: name == "NotesCloud.sqlite.openwo" && call.kind == .mkdir
      case .merged: name == "attaching.sqlite" && call.kind == .unlink
      case .renamed: name == "Notes.sqlite.openwo" && call.kind == .renameNew
      }
    }
  }

  @Test(arguments: [
    (false, Moment.copied), (false, .renamed), (true, .merged), (true, .renamed),
  ])
  private func `a program's commit during the move is in the folder`(
    hasData: Bool, moment: Moment
  ) async throws {
    let house = try await stage(hasData: hasData)
    let program = Program(house)
    let ambush = Ambush { moment.isCome($0) }
    ambush.arm { program.run() }
    var places = try house.places("phone")
    places.configuration.files = FileSystem(observer: ambush)
    let app = try await AppStore.open(profile, places)
    _ = await app.attachment()
    let own = program.isDone ? ["a=milk"] : ["a=milk", "b=bread"]
    let others = (hasData ? ["m=mac"] : []) + (program.isDone ? ["p=program"] : [])
    try app.shows(own + others + ["seed=welcome"])
    try await app.close()
    #expect(ambush.hasActed)
    // Nobody commits into a file that is being renamed.
    #expect(program.isDone == (moment != .renamed))
    #expect(!FileManager.default.fileExists(atPath: Self.path(house)))
    try await house.expect("phone", profile, own + others + ["seed=welcome"])
  }

  private func add(_ id: String, to store: SyncedDatabase) throws {
    try store.write { try $0.execute("INSERT INTO note (id, text) VALUES (?, 'other')", id) }
  }

  @Test(arguments: [false, true])
  func `another process of the app gets an error when the file has moved into the folder`(
    hasData: Bool
  ) async throws {
    let house = try await stage(hasData: hasData)
    let places = try house.places("phone")
    let other = try SyncedDatabase(
      path: Self.path(house), configuration: places.configuration(profile))
    try add("c", to: other)
    try await house.on("phone", profile) { #expect($0.activeStore == .synced) }
    #expect(throws: StoreError.self) { try add("d", to: other) }
    try other.close()
    #expect(!FileManager.default.fileExists(atPath: Self.path(house)))
    try await house.expect(
      "phone", profile,
      ["a=milk", "b=bread", "c=other"] + (hasData ? ["m=mac"] : []) + ["seed=welcome"])
  }

  @Test func `writes into a local file that is used again remove nothing from the folder`()
    async throws
  {
    let house = try await stage(hasData: true)
    try await house.expect("phone", profile, ["a=milk", "b=bread", "m=mac", "seed=welcome"])
    let folder = house.folder("phone")
    let away = house.root.appending(path: "away")
    try FileManager.default.moveItem(at: folder, to: away)
    try await house.on("phone", profile) { try $0.add("c", "cheese") }
    try FileManager.default.moveItem(at: away, to: folder)
    try FileManager.default.removeItem(at: house.folder("mac"))
    try FileManager.default.copyItem(at: folder, to: house.folder("mac"))
    try await house.on("mac", profile) { try $0.add("n", "new") }
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: house.folder("mac"), to: folder)
    let notes = ["a=milk", "b=bread", "c=cheese", "m=mac", "n=new", "seed=welcome"]
    try await house.expect("phone", profile, notes)
    let program = Program(house)
    program.run()
    #expect(program.isDone)
    try await house.expect(
      "phone", profile, ["a=milk", "c=cheese", "m=mac", "n=new", "p=program", "seed=welcome"])
  }
}

import Foundation
import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// One call that opens a store, and makes it if there is none.
struct OpeningTests {
  private let rig: Rig

  init() throws { rig = try Rig(["mac"]) }

  private func open(_ opening: SyncedDatabase.Opening) throws -> SyncedDatabase {
    try SyncedDatabase.open(rig.database("mac").string, opening, rig.configuration("mac"))
  }

  @Test func `a store is made if there is none, and opened if there is one`() throws {
    let refused = #expect(throws: StoreError.self) { try open(.existing) }
    #expect(refused?.code == .noStore)
    let made = try open(.createIfMissing)
    try made.write { try $0.execute("CREATE TABLE note(text)") }
    let id = made.storeID
    try made.close()
    for opening in [SyncedDatabase.Opening.existing, .createIfMissing] {
      let store = try open(opening)
      #expect(store.storeID == id)
      try store.close()
    }
  }

  @Test func `a file URL names a database as its path does, whatever is in the name`() throws {
    let path = rig.folder("mac").appending("100 % ああ.sqlite").string
    let made = try SyncedDatabase.open(
      URL(filePath: path), .createIfMissing, rig.configuration("mac"))
    #expect(made.path.string == path)
    try made.close()
    try SyncedDatabase.open(path, .existing, rig.configuration("mac")).close()
  }

  @Test func `no second store is made if the folder of the first has gone away`() throws {
    let made = try open(.createIfMissing)
    try made.write { try $0.execute("CREATE TABLE note(text)") }
    try made.close()
    let database = rig.database("mac")
    let companion = database.string + ".openwo"
    try FileManager.default.moveItem(atPath: companion, toPath: companion + "-away")
    try FileManager.default.removeItem(atPath: database.string)
    #expect(throws: StoreError.self) { try open(.createIfMissing) }
    #expect(!FileManager.default.fileExists(atPath: companion))
    #expect(!FileManager.default.fileExists(atPath: database.string))
  }
}

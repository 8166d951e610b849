import Foundation
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWOShell

/// What to do next is typed in the libraries, and one command line in a terminal.
struct AdviceTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  @Test(arguments: [
    "OpenWO", "OpenWOApp", "OpenWOFiles", "OpenWOHistory", "OpenWOMerge", "OpenWOSQLite",
    "OpenWOTesting",
  ])
  func `no library has text for a shell`(_ module: String) throws {
    let folder = Self.sources.appending(path: module).path
    let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap {
      ($0 as? String).flatMap { $0.hasSuffix(".swift") ? $0 : nil }
    }
    #expect(!names.isEmpty)
    let verbs =
      "status|sync|un?lock|history|diff|query|edit|merge|restore|doctor|init|devices|help|leave|recover"
      + "|conflicts|show|watch|export|migrate|undo|web|mcp|rules|prune"
    // A command is a literal's beginning, or comes after a colon.
    let shell = try Regex(
      "\"[^\"]*(openwo (\(verbs)|--)|: (rm|mv|cp|ls|df|file|chmod|sqlite3|export) )")
    for name in names {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      for line in text.split(separator: "\n")
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(try shell.firstMatch(in: line) == nil, "\(name): \(line)")
      }
    }
  }

  @Test func `a step is one command with the database as the caller named it`() {
    let typed = DatabaseName("my diary.db")
    #expect(
      Advice("try again", .sync, on: typed).text == "try again: openwo sync 'my diary.db'")
    #expect(
      Advice("try again", .sync, on: DatabaseName("diary.db", isImplied: true)).text
        == "try again: openwo sync")
    #expect(Advice("try again", .sync).text == "try again: openwo sync")
    #expect(
      Advice("see it", .compareRows(.file("a copy.db")), on: typed).text
        == "see it: openwo diff 'my diary.db' @ 'a copy.db' --rows")
    #expect(Advice("is it there?", .lookAgain, on: typed).text.hasPrefix("is it there? openwo"))
  }

  @Test func `two ways are two sentences, and a step without a command is its words`() {
    let ways = Advice("mend it", .edit).or("or go back", .discardEdit)
    #expect(ways.text == "mend it: openwo edit -- sqlite3; or go back: openwo unlock --discard")
    #expect(Advice("save it there", .closeOtherPrograms).text == "save it there")
    #expect(Advice("use another key").text == "use another key")
  }

  @Test func `an app is offered what its user can do of what a terminal is told`() {
    #expect(Advice("make room", .space("/home")).remedies == [.freeSpace])
    #expect(Advice("see who owns it", .owner("/home")).remedies == [.allowAccess])
    #expect(Advice("", .waitForDevice("phone")).remedies == [.waitForService])
    #expect(Advice("mend it", .edit).or("or go back", .discardEdit).remedies == [.discardEdit])
    #expect(Advice("look closer", .examine).remedies.isEmpty)
  }

  @Test func `an error of an app has a command, too`() {
    #expect(StoreError(.io, "it did not work").hint == "look closer: openwo doctor")
    let own = StoreError(.usage, "no such thing", hint: "see all: openwo help")
    #expect(own.hint == "see all: openwo help" && own.remedies == [.correctCall])
  }

  @Test func `a finding has the remedies that an app can offer, and its line for a terminal`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    let database = rig.database("mac")
    try FileSystem().unlink(database)
    let findings = try SyncedDatabase.examine(
      path: database.string, configuration: rig.configuration("mac"))
    let found = try #require(findings.first { $0.code == "unavailable" })
    #expect(found.remedies == [.sync, .waitForService])
    #expect(found.hint?.hasSuffix("openwo sync \(database)") == true)
    // What is only for a terminal here does not travel.
    let json = try JSONEncoder().encode(found)
    let read = try JSONDecoder().decode(Finding.self, from: json)
    #expect(read.remedies == found.remedies && read.message == found.message && read.hint == nil)
  }
}

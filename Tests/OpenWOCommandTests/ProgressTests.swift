import Foundation
import SystemPackage
import Testing

@testable import OpenWOCommand

/// The progress of long work on a terminal.
struct ProgressTests {
  private struct Nothing: Error {}

  /// A console whose remarks go to a file.
  private func console(_ url: URL) throws -> Console {
    let file = try FileDescriptor.open(
      FilePath(url.path), .readWrite, options: [.create, .append], permissions: .ownerReadWrite)
    return Console(
      output: file, remarks: file, outputStyle: Style(file), remarkStyle: Style(file))
  }

  private func shown(_ url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  @Test func `long work is shown with its step, and the line goes when it is done`() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "progress-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let console = try console(url)
    defer { try? console.remarks.close() }
    try Progress("comparing", on: console, every: .milliseconds(1)).run { tell in
      tell("session")
      let limit = ContinuousClock.now + .seconds(60)
      while !(try shown(url)).contains(/comparing: session … [0-9]+ s/) {
        guard ContinuousClock.now < limit else { throw Nothing() }
      }
    }
    let text = try shown(url)
    #expect(text.hasSuffix(" \r"))
    #expect(!text.contains("\n"))
  }

  @Test func `short work shows no progress, and its errors are passed on`() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "progress-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let console = try console(url)
    defer { try? console.remarks.close() }
    #expect(throws: Nothing.self) {
      try Progress("comparing", on: console, every: .seconds(600)).run { _ in throw Nothing() }
    }
    #expect(try shown(url).isEmpty)
  }

  @Test func `a remaining time that grows is not shown`() {
    var least = Int64.max
    func bytes(_ moved: Int64, _ seconds: UInt64) -> String? {
      Progress.bytes(moved, of: 100_000_000, after: seconds, &least)
    }
    #expect(bytes(20_000_000, 1) == "20 MB of about 100 MB, 4 s left")
    #expect(bytes(20_000_000, 2) == "20 MB of about 100 MB")
    #expect(bytes(50_000_000, 3) == "50 MB of about 100 MB, 3 s left")
    #expect(bytes(120_000_000, 4) == "120 MB")
    #expect(bytes(0, 5) == nil)
  }
}

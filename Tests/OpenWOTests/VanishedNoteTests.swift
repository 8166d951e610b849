import Corpora
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// The note about vanished versions, which all processes of a device share.
struct VanishedNoteTests {
  private let gone = ["1", "2"].compactMap { VersionID(String(repeating: $0, count: 64)) }
  private let now = Timestamp(milliseconds: 1_000)

  @Test func `the time starts with the first look and again when another version goes`() throws {
    let place = try Place()
    let note = VanishedNote(path: place.root.appending("vanished"), files: FileSystem())
    let later = Timestamp(milliseconds: 5_000)
    #expect(gone.count == 2)
    #expect(try note.since([gone[0]], now: now) == now)
    #expect(try note.since([gone[0]], now: later) == now)
    #expect(try note.since(gone, now: later) == later)
    try note.clear()
    #expect(try note.since(gone, now: now) == now)
  }

  @Test func `another process may remove the note or write it at any call`() throws {
    let place = try Place()
    let path = place.root.appending("vanished")
    let other = VanishedNote(path: path, files: FileSystem())
    for isRemoved in [true, false] {
      for number in 0..<40 {
        let ambush = Ambush(before: number) { [gone, now] in
          if isRemoved { try? other.clear() } else { _ = try? other.since(gone, now: now) }
        }
        _ = try other.since([gone[0]], now: now)
        let note = VanishedNote(path: path, files: FileSystem(observer: ambush))
        #expect(try note.since([gone[0]], now: now) == now, "\(number) \(ambush.call)")
        #expect(try note.since(gone, now: now) == now, "\(number) \(ambush.call)")
        try note.clear()
        if !ambush.hasActed, number > 8 { break }
      }
    }
  }
}

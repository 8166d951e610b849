import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// People's names for a version.
struct VersionNameTests {
  /// Versions of ten days, two days, three hours and no time ago, by what was written last.
  private func rig() throws -> Rig {
    let rig = try Rig(["mac"])
    try rig.start()
    let hours: [(String, Int64)] = [("ten days", 8 * 24), ("two days", 45), ("three hours", 3)]
    for (value, pause) in hours {
      try rig.write("mac", value)
      rig.clock.advance(milliseconds: pause * 3_600_000)
    }
    try rig.write("mac", "now")
    return rig
  }

  private func last(_ rig: Rig, _ name: String, minutesEast: Int64 = 0) throws -> String? {
    try rig.on("mac") { store in
      let path = rig.place.root.appending("named.sqlite")
      try store.export(
        store.version(named: name, minutesEast: minutesEast).id, to: path.string)
      return try rig.place.sqlite3("SELECT v FROM t ORDER BY id", path).split(separator: "\n").last
        .map(String.init)
    }
  }

  @Test(arguments: [
    ("@", "now"), ("@~1", "three hours"), ("@~3", "ten days"), ("1s ago", "now"),
    ("5m ago", "three hours"), ("170m ago", "three hours"), ("3h ago", "three hours"),
    ("5h ago", "two days"), ("1d ago", "two days"), ("yesterday", "two days"),
    ("3d ago", "ten days"), ("1w ago", "ten days"), ("3 hours ago", "three hours"),
    ("a minute ago", "three hours"), ("5 Hours ago", "two days"), ("3 days ago", "ten days"),
    ("1 week ago", "ten days"), ("90 min ago", "three hours"), ("now", "now"),
    ("3h", "three hours"), ("5 hours", "two days"), ("3d", "ten days"), ("yesterday", "two days"),
  ])
  func `a time ago is what was live then`(name: String, last: String) throws {
    #expect(try self.last(rig(), name) == last)
  }

  @Test func `a time is in its own zone, or in the person's`() throws {
    let rig = try rig()
    // RFC 3339, with milliseconds: "2026-11-21T14:30:00.000Z"
    let now = "\(Timestamp(milliseconds: rig.clock.now()))"
    let hours = "\(Timestamp(milliseconds: rig.clock.now() - 4 * 3_600_000))"
    let days = "\(Timestamp(milliseconds: rig.clock.now() - 5 * 86_400_000))"
    #expect(try last(rig, now) == "now")
    #expect(try last(rig, hours) == "two days")
    #expect(try last(rig, String(hours.dropLast(5)) + "Z") == "two days")
    #expect(try last(rig, String(hours.dropLast(8))) == "two days")
    // A wall clock that is an hour ahead showed four hours ago what was three hours ago here, and so on.
    #expect(try last(rig, String(now.dropLast()), minutesEast: 60) == "three hours")
    #expect(try last(rig, String(hours.dropLast()), minutesEast: -240) == "now")
    #expect(try last(rig, String(days.prefix(10))) == "ten days")
  }

  @Test func `a time as history prints it finds the version beside it`() throws {
    let rig = try rig()
    let made = "\(Timestamp(milliseconds: rig.clock.now()))"
    let printed = String(made.prefix(16)).replacing("T", with: " ")
    #expect(try last(rig, printed) == "now")
    #expect(try last(rig, String(made.prefix(19)).replacing("T", with: " ")) == "now")
  }

  @Test(arguments: zip(0..<7, ["thu", "friday", "Saturday", "sun", "monday", "tues", "wednesday"]))
  func `the last such day is one to seven days ago`(days: Int64, name: String) throws {
    // A Wednesday, 1970-01-21, at 12:00.
    let now = Timestamp(milliseconds: (20 * 86_400 + 43_200) * 1000)
    let back = days == 6 ? 7 : 6 - days
    #expect(
      SpokenMoment(now: now, zone: .fixed(0)).read("last \(name)")
        == now.advanced(bySeconds: -86_400 * back))
    // An hour before midnight in UTC it is Thursday there.
    let late = now.advanced(bySeconds: 39_600)
    #expect(
      SpokenMoment(now: late, zone: .fixed(120)).read("last wed")
        == late.advanced(bySeconds: -86_400))
  }

  @Test func `the message says whether there is none or several`() throws {
    let rig = try rig()
    try rig.on("mac") { store in
      func message(_ name: String) -> String {
        do {
          return try "\(store.version(named: name).id)"
        } catch {
          return (error as? StoreError)?.message ?? "\(error)"
        }
      }
      #expect(message("0000") == "no version's id begins with 0000")
      #expect(message("abc").hasSuffix("an id's beginning needs at least 4 digits"))
      #expect(message("@~99") == "there are only 4 versions before the live one: @~1 to @~4")
      #expect(message("@~").hasSuffix("write @ for the live one, @~1 for the one before"))
      #expect(message("20d ago").hasPrefix("nothing was live yet at "))
      #expect(message("last mo").hasPrefix("last mo is neither a version nor a time"))
      #expect(message("") == "the name of the version is empty")
      let versions = try store.history().map(\.version)
      let id = versions[0].id.description
      #expect(message(id.prefix(8).uppercased()) == id)
      let paths = store.core.paths
      let several = StoreError.noVersion(beginning: "0123", versions, paths).message
      #expect(several.hasPrefix("5 versions begin with 0123: \(id.prefix(10)), "))
      #expect(several.hasSuffix(" and more"))
      #expect(
        StoreError.noVersion(before: 1, paths).message.hasSuffix(
          "is the first one; there is none before it"))
    }
  }

  @Test(arguments: [
    "", "@~", "@~-1", "@~99", "ago", " ago", "h ago", "-1h ago", "1y ago", "last", "last day",
    "last mo", "two ago", "a ago", "2026-11-20  18:00", "99999999h ago",
    "20d ago",
    "abc", "2026-02-30", "2026-11", "zzzz", "1999-01-01",
  ])
  func `a name that matches nothing is an error`(name: String) throws {
    let rig = try rig()
    try rig.on("mac") { store in
      #expect { try store.version(named: name) } throws: {
        ($0 as? StoreError)?.code == .noSuchVersion
      }
    }
  }
}

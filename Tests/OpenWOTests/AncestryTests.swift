import OpenWOHistory
import Testing

@testable import OpenWO

/// The ancestry table, a test a row: what a content was made from, or what has to be known first.
@Suite struct AncestryTests {
  private var scene: Scene

  /// A store with a first version, one made from it here, and another device's beside that.
  init() throws {
    scene = Scene()
    try scene.version("first", "a", device: "here", ago: 300, reason: .create)
    try scene.version("mine", "b", from: "first", device: "here", ago: 200)
    try scene.version("theirs", "c", from: "first", ago: 100)
  }

  private func id(_ name: String) throws -> VersionID { try #require(scene.versions[name]).id }

  private func decide(
    _ place: ForeignContent.Place, current: String? = "mine",
    _ describe: (inout Evidence) throws -> Void = { _ in }
  ) throws -> Ancestry {
    var content = ForeignContent(place)
    try describe(&content.evidence)
    let table = try AncestryTable(graph: scene.seen.graph, current: current.map(id))
    return table.decide(content)
  }

  private func child(
    of name: String, reason: VersionReason? = nil, _ rule: AncestryRule
  ) throws -> Ancestry { .child(of: [try id(name)], reason: reason, rule) }

  private func pages(
    base: String? = nil, sharesMost: Bool = true, mayFollow: Bool = false
  ) throws -> Evidence.Pages {
    var pages = Evidence.Pages()
    (pages.base, pages.mayFollowCurrent) = (try base.map(id), mayFollow)
    pages.sharesMost = base != nil && sharesMost
    return pages
  }

  // MARK: The live file

  @Test func `an unchanged file follows from the recorded version`() throws {
    #expect(try decide(.live) { $0.isAsRecorded = true } == child(of: "mine", .asRecorded))
  }

  @Test func `while a store is made, its content follows from all recovered states`()
    throws
  {
    let heads = scene.seen.graph.heads.map(\.id)
    #expect(
      try decide(.live, current: nil) { $0.beginsStore = true }
        == .child(of: heads, .beginningOfStore))
  }

  @Test func `pages are asked for before rows`() throws {
    #expect(try decide(.live) == .needs(.pages))
  }

  @Test func `a file written in place whose pages are the current version's follows from it`()
    throws
  {
    let found = try decide(.live) {
      $0.isWrittenInPlace = true
      $0.pages = try pages(base: "mine")
      $0.otherSide = .nothing
    }
    #expect(found == (try child(of: "mine", .pagesOfCurrent)))
  }

  /// A small database shares most pages with any side, and some services write in place.
  @Test func `with sides beside the current version its pages are not enough`() throws {
    func decided(_ side: Evidence.Answer?) throws -> Ancestry {
      try decide(.live) {
        $0.isWrittenInPlace = true
        $0.pages = try pages(base: "mine")
        $0.otherSide = side
        $0.search = .nothing
        $0.isAlone = false
        $0.carries[try id("mine")] = false
      }
    }
    #expect(try decided(nil) == .needs(.otherSide(than: try id("mine"))))
    #expect(try decided(.nothing) == child(of: "mine", .pagesOfCurrent))
    #expect(try decided(.found(try id("theirs"))) == .rival)
  }

  /// A service that writes in place and sets no times looks like a program here.
  @Test func `a file written in place that shares few pages is asked for its rows`() throws {
    let found = try decide(.live) {
      $0.isWrittenInPlace = true
      $0.pages = try pages(base: "mine", sharesMost: false, mayFollow: true)
      $0.isAlone = false
    }
    #expect(found == .needs(.rows(of: try id("mine"))))
  }

  @Test func `a file written in place by the only device follows from the current version`() throws
  {
    let found = try decide(.live) {
      $0.isWrittenInPlace = true
      $0.pages = try pages(mayFollow: true)
      $0.isAlone = true
    }
    #expect(found == (try child(of: "mine", .onlyWriterInPlace)))
  }

  @Test
  func `if others are known, a file written in place without shared pages is asked for its rows`()
    throws
  {
    let found = try decide(.live) {
      $0.isWrittenInPlace = true
      $0.pages = try pages(mayFollow: true)
      $0.isAlone = false
    }
    #expect(found == .needs(.rows(of: try id("mine"))))
  }

  @Test(arguments: [true, false])
  func `the first edit of a store follows from its only version`(isInPlace: Bool) throws {
    var scene = Scene()
    let first = try scene.version("first", "a", device: "here", reason: .create)
    var content = ForeignContent(.live)
    content.evidence.isWrittenInPlace = isInPlace
    content.evidence.pages = try pages(mayFollow: isInPlace)
    content.evidence.isAlone = false
    content.evidence.carries[first.id] = false
    if !isInPlace { content.evidence.search = .nothing }
    let table = AncestryTable(graph: scene.seen.graph, current: first.id)
    if !isInPlace {
      #expect(table.decide(content) == .needs(.share(of: first.id)))
      content.evidence.carriesMost[first.id] = true
    }
    #expect(table.decide(content) == .child(of: [first.id], .firstEdit))
    content.evidence.carriesMost[first.id] = false
    if !isInPlace { #expect(table.decide(content) == .rival) }
  }

  @Test func `a delivered file follows from the version whose changes are all in its rows`() throws
  {
    let found = try decide(.live) {
      $0.pages = try pages(base: "theirs")
      $0.isAlone = false
      $0.search = .nothing
      $0.carries[try id("theirs")] = true
    }
    #expect(found == (try child(of: "theirs", .rowsOfVersion)))
  }

  @Test func `a delivered file that lacks a change of every version is a rival`() throws {
    let found = try decide(.live) {
      $0.pages = try pages(base: "theirs")
      $0.isAlone = false
      $0.search = .nothing
      $0.carries[try id("theirs")] = false
    }
    #expect(found == .rival)
  }

  @Test func `for a delivered file the search knows more than the pages`() throws {
    let found = try decide(.live) {
      $0.pages = try pages(base: "first")
      $0.isAlone = false
      $0.search = .found(try id("theirs"))
      $0.carries[try id("first")] = true
    }
    #expect(found == (try child(of: "theirs", .foundByRows)))
  }

  @Test func `a file written in place is searched for at last`() throws {
    let found = try decide(.live) {
      $0.isWrittenInPlace = true
      $0.pages = try pages(mayFollow: true)
      $0.isAlone = false
      $0.carries[try id("mine")] = false
      $0.search = .found(try id("theirs"))
    }
    #expect(found == (try child(of: "theirs", .foundByRows)))
  }

  @Test(arguments: [true, false])
  func
    `a file that the only device saved by copy and rename is its next version if it carries most rows`(
      carriesMost: Bool
    ) throws
  {
    let found = try decide(.live) {
      $0.pages = try pages(base: "first")
      $0.isAlone = true
      $0.carriesMost[try id("mine")] = carriesMost
      $0.search = .nothing
      $0.carries[try id("first")] = false
    }
    #expect(found == (carriesMost ? try child(of: "mine", .onlyWriterElsewhere) : .rival))
  }

  @Test func `a content that a person put back is a restore`() throws {
    #expect(try decide(.putBack) == child(of: "mine", reason: .restore, .putBack))
  }

  // MARK: Locks

  @Test(arguments: [true, false])
  func `a file edited in place under this device's lock follows from the current version`(
    isAlone: Bool
  ) throws {
    let found = try decide(.underOwnLock(since: id("first"))) {
      $0.isWrittenInPlace = true
      $0.isAlone = isAlone
      if isAlone { return }
      $0.twin = .nothing
      $0.carries[try id("mine")] = true
    }
    #expect(found == (try child(of: "mine", .editedUnderLock)))
  }

  @Test func `another side's content written in place under this device's lock is delivered`()
    throws
  {
    let found = try decide(.underOwnLock(since: id("mine"))) {
      $0.isWrittenInPlace = true
      $0.isAlone = false
      $0.twin = .found(try id("theirs"))
    }
    #expect(found == (try child(of: "theirs", reason: .external, .knownContent)))
  }

  @Test func `a file with another side's changes in place of the current ones is delivered`() throws
  {
    let found = try decide(.underOwnLock(since: id("mine"))) {
      $0.isWrittenInPlace = true
      $0.isAlone = false
      $0.twin = .nothing
      $0.carries[try id("mine")] = false
      $0.search = .found(try id("theirs"))
    }
    #expect(found == (try child(of: "theirs", reason: .external, .foundByRows)))
  }

  @Test(arguments: [true, false])
  func `under this device's lock, a content that undoes the current version is its child, marked`(
    isEarlier: Bool
  ) throws {
    let found = try decide(.underOwnLock(since: id("mine"))) {
      $0.isWrittenInPlace = true
      $0.isAlone = false
      $0.twin = isEarlier ? .found(try id("first")) : .nothing
      $0.carries[try id("mine")] = false
      $0.search = isEarlier ? .found(try id("first")) : .nothing
    }
    #expect(found == (try child(of: "mine", .undoneUnderLock)))
  }

  @Test func `an earlier state put in place under this device's lock is a restore`() throws {
    let found = try decide(.underOwnLock(since: id("mine"))) { $0.twin = .found(try id("first")) }
    #expect(found == (try child(of: "mine", reason: .restore, .restoredUnderLock)))
  }

  @Test func `a file replaced under this device's lock is the edit if no other device is known`()
    throws
  {
    let found = try decide(.underOwnLock(since: id("mine"))) {
      $0.twin = .nothing
      $0.isAlone = true
    }
    #expect(found == (try child(of: "mine", reason: .edit, .replacedUnderLock)))
  }

  @Test func `a file replaced under this device's lock may be delivered if others are known`()
    throws
  {
    let found = try decide(.underOwnLock(since: id("mine"))) {
      $0.twin = .nothing
      $0.isAlone = false
    }
    #expect(found == .needs(.pages))
  }

  @Test func `a replaced file in which the holder changed most follows from the closest version`()
    throws
  {
    func decided(_ closest: Evidence.Answer?) throws -> Ancestry {
      try decide(.underOwnLock(since: id("mine"))) {
        $0.twin = .nothing
        $0.isAlone = false
        $0.pages = try pages()
        $0.search = .nothing
        $0.closest = closest
      }
    }
    #expect(try decided(nil) == .needs(.closest))
    #expect(try decided(.nothing) == .rival)
    #expect(try decided(.found(id("theirs"))) == child(of: "theirs", .closestUnderLock))
  }

  @Test func `a known content at the start of a lock follows from its version`() throws {
    let found = try decide(.atLock) { $0.twin = .found(try id("theirs")) }
    #expect(found == (try child(of: "theirs", .knownContent)))
  }

  @Test func `an unknown content at the start of a lock is finally searched for by its rows`()
    throws
  {
    let found = try decide(.atLock) {
      $0.twin = .nothing
      $0.pages = try pages()
      $0.isAlone = false
    }
    #expect(found == .needs(.search))
  }

  // MARK: Beside the live file

  @Test func `a conflict copy follows from the version that a search by rows finds`() throws {
    #expect(try decide(.conflictCopy) == .needs(.search))
    #expect(
      try decide(.conflictCopy) { $0.search = .found(try id("first")) }
        == child(of: "first", .foundByRows))
    #expect(try decide(.conflictCopy) { $0.search = .nothing } == .rival)
  }

  @Test
  func `a commit of our own in a file that lost its name follows from what was captured last`()
    throws
  {
    #expect(
      try decide(.displaced(base: id("mine"), isOverwritten: false))
        == child(of: "mine", .ownCommit))
  }

  @Test func `our own commit that somebody overwrote counts only by its rows`() throws {
    let place = ForeignContent.Place.displaced(base: try id("mine"), isOverwritten: true)
    #expect(try decide(place) == .needs(.rows(of: id("mine"))))
    #expect(
      try decide(place) { $0.carries[try id("mine")] = true } == child(of: "mine", .rowsOfVersion))
    #expect(try decide(place) { $0.carries[try id("mine")] = false } == .rival)
  }

  @Test func `a state that a journal undid follows from the version that it led back to`() throws {
    #expect(try decide(.undone(by: id("first"))) == child(of: "first", .undoneByJournal))
  }

  @Test func `a recovered state follows from the live file beside it`() throws {
    #expect(
      try decide(.passedOver) { $0.isWrittenInPlace = true } == child(of: "mine", .besideCurrent))
    #expect(try decide(.passedOver) == .needs(.search))
  }

  @Test func `a file follows from the version that a person names, unless it is unknown`() throws {
    #expect(
      try decide(.imported(statedBase: id("first"))) == child(of: "first", .stated))
    #expect(try decide(.imported(statedBase: nil)) == .needs(.search))
  }
}

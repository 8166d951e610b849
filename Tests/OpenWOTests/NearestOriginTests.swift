import OpenWOHistory
import Testing

@testable import OpenWO

/// The parent of a database, if it has the changes of several versions.
struct NearestOriginTests {
  private var scene = Scene()

  /// A first version, two made from it apart, and one made from the older of these.
  init() throws {
    try scene.version("first", "a", ago: 400, reason: .create)
    try scene.version("older", "b", from: "first", ago: 300)
    try scene.version("next", "c", from: "older", ago: 200)
    try scene.version("newest", "d", from: "first", ago: 100)
  }

  private func nearest(_ offers: KeyValuePairs<String, Int>) throws -> NearestOrigin {
    var nearest = NearestOrigin(scene.seen.graph)
    for (name, rest) in offers {
      nearest.offer(try #require(scene.versions[name]), leaving: rest)
    }
    return nearest
  }

  @Test func `nothing that was offered is nothing found`() throws {
    #expect(try nearest([:]).version == nil)
  }

  @Test func `the version that leaves fewer rows is nearer, though another one is newer`() throws {
    #expect(try nearest(["newest": 3, "next": 1]).version == scene.versions["next"])
  }

  @Test func `a newer version that leaves fewer rows stays`() throws {
    #expect(try nearest(["newest": 1, "next": 3]).version == scene.versions["newest"])
  }

  @Test func `of two equally near versions the newer one is taken, which is offered first`()
    throws
  {
    #expect(try nearest(["newest": 2, "next": 2]).version == scene.versions["newest"])
  }

  @Test func `a version that leaves nothing is nearest`() throws {
    #expect(try nearest(["newest": 1, "next": 0]).version == scene.versions["next"])
  }

  @Test func `the ancestors of an offered version are not tried any more`() throws {
    let nearest = try nearest(["next": 5])
    #expect(
      try ["first", "older", "next", "newest"].map { nearest.isOpen(try scene.id($0)) }
        == [false, false, false, true])
  }

  @Test func `an ancestor of a version that lost to a nearer one is not tried`() throws {
    let nearest = try nearest(["newest": 1, "next": 5])
    #expect(try !nearest.isOpen(scene.id("older")))
  }
}

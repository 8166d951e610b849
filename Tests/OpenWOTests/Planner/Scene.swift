import OpenWO
import OpenWOHistory
import SystemPackage

/// Versions and a sighting for tests of the planner, in letters: a content is a letter, a version has a name.
struct Scene {
  static let now: Int64 = 1_000_000

  private(set) var versions: [String: Version] = [:]
  /// The state of the folder; its graph has all versions by default.
  var seen: Sighting
  var policy = Policy()

  /// A store in which this device, `here`, has seen others.
  init() {
    seen = Sighting(
      device: "here", now: Timestamp(milliseconds: Self.now),
      live: .missing(since: Timestamp(milliseconds: Self.now)), graph: VersionGraph([]))
    seen.isAlone = false
  }

  static func content(_ letter: String) -> ContentHash { ContentHash(of: Array(letter.utf8)) }

  /// Adds a version, seconds before now.
  @discardableResult
  mutating func version(
    _ name: String, _ content: String, from parents: String..., device: String = "there",
    ago seconds: Int64 = 100, reason: VersionReason = .write, note: String? = nil
  ) throws -> Version {
    let facts = ContentFacts(
      hash: Self.content(content), bytes: 4096, pageSize: 4096, userVersion: 0, applicationID: 0)
    let version = try Version(
      facts: facts, parents: parents.compactMap { versions[$0]?.id }, device: device,
      deviceName: device, at: HybridTime(milliseconds: Self.now - seconds * 1000), reason: reason,
      note: note)
    versions[name] = version
    seen.graph = VersionGraph(Array(versions.values))
    seen.arrivals[version.id] = Timestamp(milliseconds: Self.now - seconds * 1000)
    return version
  }

  /// Takes versions out of sight.
  mutating func hide(_ names: String...) throws {
    let hidden = try names.map(id)
    seen.graph = VersionGraph(versions.values.filter { !hidden.contains($0.id) })
  }

  /// The live file has had a content for this many seconds.
  mutating func live(_ content: String, for seconds: Int64 = 100) {
    seen.live = .whole(
      Self.content(content), changedAt: Timestamp(milliseconds: Self.now - seconds * 1000))
  }

  /// A copy beside it, written and arrived this many seconds ago; nil: it is torn.
  mutating func copy(
    _ name: String, _ content: String?, ago seconds: Int64 = 100,
    origin: Sighting.Origin = .service
  ) throws {
    let moment = Timestamp(milliseconds: Self.now - seconds * 1000)
    seen.copies.append(
      Sighting.Copy(
        file: try file(name), content: content.map(Self.content), changedAt: moment,
        modifiedAt: moment, origin: origin))
  }

  func file(_ name: String) throws -> FileName {
    guard let component = FilePath.Component(name) else { throw Missing(name: name) }
    return FileName(component)
  }

  func id(_ name: String) throws -> VersionID {
    guard let version = versions[name] else { throw Missing(name: name) }
    return version.id
  }

  /// The plan, without what it only waits for.
  var plan: [Action] { Reconciler(policy: policy).plan(seen).filter { $0.dueAt == nil } }

  /// When the plan wants to be made again, in seconds from now.
  var waits: [Int64] {
    Reconciler(policy: policy).plan(seen).compactMap(\.dueAt).map {
      ($0.milliseconds - Self.now) / 1000
    }
  }

  struct Missing: Error {
    var name: String
  }
}

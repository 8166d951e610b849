import Corpora
import SystemPackage
import Testing

/// Torn files as services leave them, and edits as people make them: no torn one becomes a version, no edit is taken for a torn file.
///
/// A few of each; `openwo-crash torn` has them by the thousand.
struct TornFilesTests {
  @Test func `a torn file is never a version and never stays`() throws {
    let (place, bench) = try bench(seed: 1)
    for _ in 0..<30 { #expect(try bench.tear().wrong == []) }
    _ = place
  }

  @Test func `an edit by any program is a version`() throws {
    let (place, bench) = try bench(seed: 2)
    for _ in 0..<8 { #expect(try bench.editAsAnybody() == []) }
    _ = place
  }

  private func bench(seed: UInt64) throws -> (Place, TornBench) {
    let place = try Place()
    let shell: (String, FilePath) throws -> Void = { _ = try place.sqlite3($0, $1) }
    return (place, try TornBench(place.root.appending("bench"), seed: seed, shell: shell))
  }
}

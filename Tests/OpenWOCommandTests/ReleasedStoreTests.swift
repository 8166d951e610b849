import Foundation
import Testing

/// Stores that released binaries made open, keep every version, and can be used further.
struct ReleasedStoreTests {
  /// The facts that `Tests/Stores/make` recorded about a store.
  struct Expected: Decodable {
    struct Device: Decodable {
      var id: String?
      var live: String
      var rows: [String]?
      var lock: Lock?
      var heads: [String]
      var versions: [String]
      var contents: [Content]
      var conflicts: [String]
    }

    struct Lock: Decodable, Equatable {
      var id: String
      var device: String
      var deviceName: String
      var note: String?
      var since: String
      var state: String
    }

    struct Content: Decodable {
      var id: String
      var parents: [String]
      var reason: String
      var content: String
      var published: Bool
      var rows: [String]
      var sha256: String
    }

    var about: String
    var devices: [String: Device]
    /// The device, and the line that is typed there.
    var next: [[String]]
    /// Rows that the live file has to have then.
    var live: [String]
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Stores")

  /// The stores, as `df32186/two-heads`.
  static let stores: [String] = {
    let files = FileManager.default
    let releases = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    return releases.sorted().flatMap { release in
      let names = try? files.contentsOfDirectory(atPath: folder.appending(path: release).path)
      return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
        .map { "\(release)/\($0.dropLast(5))" }
    }
  }()

  @Test func `there are stores of the release before`() {
    #expect(Self.stores.count { $0.hasPrefix("df32186/") } >= 20)
  }

  @Test(arguments: stores)
  func `a released store opens as it was, and loses no row when it is used`(name: String) throws {
    let stage = try Stage()
    let expected = try unpack(name, in: stage)
    for (device, seen) in expected.devices.sorted(by: { $0.key < $1.key }) {
      try compare(device, seen, stage)
    }
    for step in expected.next {
      let line = step[1].hasPrefix("carry ") ? carry(step[1], expected.devices[step[0]]) : step[1]
      try stage.text(on(step[0], line))
    }
    let device = try #require(expected.next.last?.first)
    let rows = try rows("diary.db", on: device, stage)
    #expect(Set(expected.live).subtracting(rows) == [], "the live file has \(rows)")
    let status = try stage.json(on(device, "openwo status --json"))
    #expect(status["state"] as? String == "synced")
    #expect(try stage.run(on(device, "openwo status --check")).status == 0)
    try keepsAll(expected.devices[device], on: device, stage)
  }

  /// Unpacks a store, as its devices had it on this machine.
  private func unpack(_ name: String, in stage: Stage) throws -> Expected {
    let packed = Self.folder.appending(path: "\(name).tar.gz").path
    // A device is itself only on its own machine, so it is told that this one is.
    try stage.text(
      """
      tar -xzf '\(packed)' -C "$STAGE" --no-same-owner
      sqlite3 ../here.db 'CREATE TABLE t(a)'
      OPENWO_STATE_DIR=$STAGE/here openwo init ../here.db --quiet
      machine=$(grep '"machine"' ../here/device.json)
      for file in ../*/state/device.json; do
        [ -e "$file" ] || continue
        while IFS= read -r line; do
          case $line in *'"machine"'*) line=$machine ;; esac
          printf '%s\\n' "$line"
        done <"$file" >../device.json && cp ../device.json "$file"
      done
      """)
    let told = try Data(contentsOf: Self.folder.appending(path: "\(name).json"))
    return try JSONDecoder().decode(Expected.self, from: told)
  }

  /// A line of bash, typed on a device.
  private func on(_ device: String, _ line: String) -> String {
    """
    export OPENWO_STATE_DIR="$STAGE/\(device)/state" OPENWO_DEVICE_NAME=\(device)
    cd "$STAGE/\(device)/Training"; \(line)
    """
  }

  /// A line that brings the companion of another device here, and the live file if that is asked for.
  private func carry(_ step: String, _ here: Expected.Device?) -> String {
    let words = step.split(separator: " ")
    return """
      own=\(here?.id ?? "none").json there="$STAGE/\(words[1])/Training" here=$PWD; cd "$there"
      find diary.db.openwo -type f ! -name "$own" -exec cp -p --parents {} "$here" ';'
      for lock in "$here"/diary.db.openwo/locks/*.json; do
        name=${lock##*/}; [ "$name" = "$own" ] || [ -e "diary.db.openwo/locks/$name" ] || rm -f "$lock"
      done
      \(words.count > 2 ? "cp -p diary.db \"$here/.delivered\"; mv \"$here/.delivered\" \"$here/diary.db\"" : "")
      """
  }

  private func compare(_ device: String, _ seen: Expected.Device, _ stage: Stage) throws {
    let status = try stage.json(on(device, "openwo status --json"))
    let history = try stage.json(on(device, "openwo history --json"))
    let versions = try #require(history["versions"] as? [[String: Any]])
    let parents = Set(versions.flatMap { $0["parents"] as? [String] ?? [] })
    let ids = versions.compactMap { $0["id"] as? String }
    #expect(Set(ids) == Set(seen.versions), "\(device)")
    #expect(Set(ids).subtracting(parents) == Set(seen.heads), "\(device)")
    if seen.heads.count == 1 { #expect(status["head"] as? String == seen.live, "\(device)") }
    if let id = seen.id {
      #expect((status["device"] as? [String: Any])?["id"] as? String == id, "\(device)")
    }
    let found = try (status["lock"] as? [String: Any]).map {
      try JSONDecoder().decode(Expected.Lock.self, from: JSONSerialization.data(withJSONObject: $0))
    }
    #expect(found == seen.lock, "\(device)")
    let conflicts = try stage.json(on(device, "openwo conflicts --json"))
    let open = (conflicts["open"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
    #expect(open.map { URL(fileURLWithPath: $0).lastPathComponent }.sorted() == seen.conflicts)
    if let rows = seen.rows { #expect(try self.rows("diary.db", on: device, stage) == rows) }
    for version in seen.contents {
      let told = try #require(versions.first { $0["id"] as? String == version.id })
      #expect(told["parents"] as? [String] == version.parents)
      #expect(told["reason"] as? String == version.reason)
      #expect(told["content"] as? String == version.content)
      #expect(told["published"] as? Bool == version.published)
      try compare(version, on: device, stage)
    }
  }

  private func compare(
    _ version: Expected.Content, on device: String, _ stage: Stage
  ) throws {
    let told = try stage.text(
      on(device, "openwo show \(version.id) -o ../shown.db --quiet && sha256sum <../shown.db"))
    #expect(told.hasPrefix(version.sha256), "version \(version.id) on \(device)")
    #expect(try rows("../shown.db", on: device, stage) == version.rows)
    try stage.text(on(device, "rm ../shown.db"))
  }

  /// The texts of a database's rows; read in a copy, so that nothing changes by looking.
  private func rows(_ database: String, on device: String, _ stage: Stage) throws -> [String] {
    let text = try stage.text(
      on(
        device,
        """
        mkdir ../look; for end in '' -wal; do [ ! -e "\(database)$end" ] || cp "\(database)$end" "../look/copy.db$end"; done
        sqlite3 ../look/copy.db 'SELECT text FROM entry ORDER BY id'; rm -r ../look
        """))
    return text.split(separator: "\n").map(String.init)
  }

  /// Every version that was there can still be written out; only a store with very many removes the oldest.
  private func keepsAll(
    _ device: Expected.Device?, on name: String, _ stage: Stage
  ) throws {
    let before = try #require(device)
    let history = try stage.json(on(name, "openwo history --json"))
    let listed = Set(
      (history["versions"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String })
    let kept = before.contents.filter { listed.contains($0.id) }
    for version in kept { try compare(version, on: name, stage) }
    let gone = before.contents.filter { !listed.contains($0.id) }
    #expect(gone.isEmpty || before.versions.count > 100, "\(gone.map(\.id)) are listed no more")
  }
}

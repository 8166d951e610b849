import OpenWOApp

/// How a version is told of.
struct VersionWords: Sendable {
  let scene: Scene

  private var voice: Voice { scene.voice }

  /// Why a version was made.
  func reason(_ version: Version) -> String {
    switch version.reason {
    case .create: voice("Beginning", "開始")
    case .write: voice("Saved by an app", "アプリの保存")
    case .lock, .edit: voice("Edited by hand", "手動の編集")
    case .external: voice("Changed by another program", "別のプログラムによる変更")
    case .adopt: voice("Taken over", "取り込み")
    case .restore: voice("Brought back", "復元")
    case .merge: voice("Two sides brought together", "2つの変更を統合")
    case .settle: voice("Chosen between two sides", "2つの変更から選択")
    case .migrate: voice("Structure updated", "構造の更新")
    default: version.reason.rawValue
    }
  }

  /// Device and time of a version, such as "phone, 14:02".
  func side(_ version: Version) -> Node {
    let version = written(version)
    return [
      .foreign(scene.name(version.device, version.deviceName)), voice.say(", ", "、"),
      voice.time(version.madeAt),
    ]
  }

  /// A device's write and its time, as the name of one side of a conflict.
  func writing(_ version: Version) -> Node {
    let version = written(version)
    let device = Node.foreign(scene.name(version.device, version.deviceName))
    return voice.language == .ja
      ? [device, "の変更、", voice.time(version.madeAt)]
      : ["What ", device, " wrote, ", voice.time(version.madeAt)]
  }

  /// The version that a person wrote: a choice between sides has the content of one of them, and no device of its own.
  private func written(_ version: Version) -> Version {
    var version = version
    while version.reason == .settle,
      let winner = version.parents.lazy.compactMap({ scene.version("\($0)") })
        .first(where: { isEqual($0, version) })
    { version = winner }
    return version
  }

  private func isEqual(_ one: Version, _ other: Version) -> Bool {
    (try? scene.differences.counts(scene.store, one.id, other.id).equal) == true
  }

  /// The other names of a version, and its note.
  func note(_ version: Version) -> Node {
    guard let note = version.note, ![.restore, .settle, .merge].contains(version.reason) else {
      return .none
    }
    return tag("q", ["class": "note"], .foreign(note))
  }

  /// A link that compares two versions.
  func comparison(_ old: Version, _ new: Version, _ title: String) -> Node {
    let address = scene.file.address("diff", query: [("from", "\(old.id)"), ("to", "\(new.id)")])
    return tag("a", ["href": address.description], .text(title))
  }
}

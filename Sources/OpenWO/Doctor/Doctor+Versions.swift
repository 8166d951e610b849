import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Whether each version can be restored.
extension Doctor {
  /// Reads the contents of versions, the newest first, for half a second.
  func checkVersions() throws -> [Finding] {
    let listing = try store.versions.listed()
    var found = listing.archive.problems.map { problem in
      let severity: Finding.Severity = if case .staging = problem.reason { .info } else { .warning }
      return Finding(
        severity, "foreignFile", "\(problem)",
        advice: paths.next("look at it", .list(paths.called(problem.path))),
        remedies: severity == .info ? [] : [.waitForService, .repair])
    }
    let versions = listing.graph.newestFirst
    let lost = versions.filter { !listing.archive.holds($0.content) }
    found += lost.prefix(10).map {
      notRestorable($0, "a file that it rests on is damaged, or has not arrived")
    }
    let kept = Set(try store.versions.damagedButKept(listing))
    let end = store.clock.monotonic() + Self.readingTime
    var read = 0
    for version in versions where listing.archive.holds(version.content) {
      guard store.clock.monotonic() < end, found.count < 20 else { break }
      read += 1
      if try !store.versions.isRestorable(version.content) {
        found.append(
          kept.contains(version.id)
            ? keptWhole(version)
            : notRestorable(version, "its file is damaged, or still being brought"))
      }
    }
    guard found.isEmpty, !versions.isEmpty else { return found }
    let count = versions.count
    let all = count == 1 ? "the version" : "all \(count) versions"
    let what =
      read == count
      ? "\(all) can be restored"
      : "all \(count) versions are here, and the newest \(read) were read and can be restored"
    return [Finding(.ok, "versions", what)]
  }

  /// How long the contents of versions are read, in nanoseconds.
  private static var readingTime: Int64 { 500_000_000 }

  private func keptWhole(_ version: Version) -> Finding {
    Finding(
      .warning, "notRestorable",
      "the file of version \(version.id.short) is damaged; this device has kept it whole",
      advice: paths.next("put it back", .repair))
  }

  private func notRestorable(_ version: Version, _ why: String) -> Finding {
    let isHere = (try? versionToStore(store.versions.listed()))?.map {
      $0.content == version.content
    }
    return Finding(
      .warning, "notRestorable",
      "version \(version.id.short) of \(version.madeAt) cannot be restored: \(why)",
      advice: isHere == true
        ? paths.next("the database still has its content; store it again", .repair)
        : waiting(for: version), remedies: isHere == true ? [] : [.waitForService, .chooseVersion])
  }

  /// The advice for a version that has not arrived whole: wait, or forget its device if that is gone.
  private func waiting(for version: Version) -> Advice {
    let makers = (try? store.versions.listed())?.graph.makers(of: version.id) ?? []
    let gone = try? store.coordinator.forgotten()
    guard let maker = makers.first(where: { $0.id != store.device.id }),
      gone?.contains(maker.id) != true
    else { return paths.next("wait for the service, then", .examine) }
    return paths.next("", .waitForDevice(maker.id))
  }
}

import ArgumentParser
import ExampleShared
import OpenWOApp
import OpenWOTesting
import Synchronization
import Testing

@testable import dailydo

/// The ways out of an error, as buttons of the apps that use the shared terminal.
struct ButtonTests {
  private final class Person: Sendable {
    let shown = Mutex<[[String]]>([])
  }

  @Test(
    arguments: [
      (Language.en, ["Try Again", "End the Edit on mac"]), (.ja, ["もう一度試す", "macでの編集を終了"]),
    ])
  func `another device's edit ends with a button, and the to-do is added`(
    language: Language, labels: [String]
  ) async throws {
    let house = try TestDevices()
    let profile = DailyDo.profile
    for device in ["phone", "mac"] {
      try await house.on(device, profile) { try await $0.setSyncEnabled(true) }
      try await house.on(device, profile) { _ in }
      try house.service.carry()
    }
    let mac = try await AppStore.open(profile, house.places("mac"))
    _ = await mac.attachment()
    _ = try mac.database.lock(LockRequest(outlivesProcess: true))
    try house.service.carry("mac", "phone")
    let person = Person()
    var terminal = Terminal("dailydo", profile, language)
    // Trying again does not help, and ending the edit does.
    terminal.buttons = Buttons { labels in
      person.shown.withLock { shown in
        shown.append(labels)
        return shown.count - 1
      }
    }
    try await terminal.run(house.places("phone")) { store in
      try await App(store: store).perform(Words.parse(["add", "milk"]))
    }
    #expect(person.shown.withLock { $0 } == [labels, labels])
    let titles = try await house.on("phone", profile) {
      try await App(store: $0).list().map(\.title)
    }
    #expect(titles == ["milk"])
    try await mac.close()
  }
}

import Testing

@testable import OpenWO

/// Which of the choices that devices recorded counts.
struct RecordedRulesTests {
  private let manifest = StoreManifest(
    format: 1, store: "", app: "", environment: "", database: "diary.db",
    created: DecisionScene.day(1), policy: "merge", rules: ["session": "newest"])

  private func choice(
    _ settling: String, _ rules: [String: String]? = nil, day: Int64
  ) -> DeviceRecord.Choice {
    DeviceRecord.Choice(
      settling: settling, rules: rules, declarations: nil, at: DecisionScene.day(day))
  }

  private func known(_ choices: DeviceRecord.Choice...) -> StoreRules {
    RecordedRules(choices, otherwise: manifest).known(settling: .lastWriterWins)
  }

  @Test func `without a choice the store's file says it`() {
    #expect(known() == StoreRules(settling: .merge, rules: ["session": .newest]))
  }

  @Test func `the latest choice counts, and rules that it leaves out stay`() {
    let found = known(
      choice("lastWriterWins", day: 3), choice("merge", ["session": "ours"], day: 2))
    #expect(found == StoreRules(settling: .lastWriterWins, rules: ["session": .ours]))
  }

  @Test func `words of a newer openwo do not count, and are kept`() {
    let choices = [
      choice("merge", ["session": "ours", "log": "appended"], day: 2),
      choice("vote", ["session": "theirs"], day: 3),
    ]
    let recorded = RecordedRules(choices, otherwise: manifest)
    #expect(recorded.rules == ["session": "ours", "log": "appended"])
    #expect(recorded.known(settling: .lastWriterWins).rules == ["session": .ours])
  }

  @Test func `a store that says nothing settles as the caller does`() {
    var silent = manifest
    silent.policy = "vote"
    #expect(RecordedRules([], otherwise: silent).known(settling: .merge).settling == .merge)
  }
}

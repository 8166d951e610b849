import ArgumentParser
import Testing

@testable import OpenWOCommand

struct VerbTests {
  @Test func `every verb is found by its name`() {
    let verbs = OpenWOCommand.configuration.groupedSubcommands.flatMap(\.subcommands)
    #expect(verbs.count > 15)
    for verb in verbs {
      let name = verb.configuration.commandName ?? ""
      #expect(OpenWOCommand.verb(named: name) == verb, "\(name)")
    }
    #expect(OpenWOCommand.verb(named: "help") == nil)
  }
}

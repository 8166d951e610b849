import ArgumentParser

@main
struct OpenWOCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "openwo")
  func run() throws {}
}

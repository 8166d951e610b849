import ArgumentParser

/// A number that is not negative.
struct Count: ExpressibleByArgument, Sendable {
  let number: Int

  init?(argument: String) {
    guard let number = Int(argument), number >= 0 else { return nil }
    self.number = number
  }
}

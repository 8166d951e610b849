import ArgumentParser

/// A span of time as people write it: `30s`, `5m`, `2h`, `3d`, or several in a row such as `1h30m`.
struct Span: ExpressibleByArgument, Sendable {
  let duration: Duration

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    var seconds: Int64 = 0
    var digits = ""
    for character in argument {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      guard let unit = units[character], let count = Int64(digits), count <= 1_000_000 else {
        return nil
      }
      seconds += count * unit
      digits = ""
    }
    guard digits.isEmpty, !argument.isEmpty else { return nil }
    duration = .seconds(seconds)
  }
}

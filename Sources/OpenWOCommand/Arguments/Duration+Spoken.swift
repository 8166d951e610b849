extension Duration {
  /// Reads a span as people write it: `30s`, `5m`, `2h`, `3d`, or several in a row such as `1h30m`.
  init?(spoken text: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    var seconds: Int64 = 0
    var digits = ""
    for character in text {
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
    guard digits.isEmpty, !text.isEmpty else { return nil }
    self = .seconds(seconds)
  }
}

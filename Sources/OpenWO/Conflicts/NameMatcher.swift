/// Matches templates against one name, by trying; what it may try is bounded, so that no name costs much.
struct NameMatcher {
  /// A way in which a template fits.
  struct Fit {
    /// The end of the matched piece.
    var end: Int
    var device: Range<Int>?
    var date: Range<Int>?
    /// The index of the phrase of ``ConflictWords/phrases`` that it contains.
    var phrase: Int?
  }

  let name: NameText
  /// How many steps may still be tried on this name.
  private var patience = 20_000

  init(_ name: NameText) {
    self.name = name
  }

  /// All ways in which the template fits the name from a place on.
  mutating func fits(_ template: NameTemplate, at start: Int) -> [Fit] {
    var found: [Fit] = []
    advance(template, 0, Fit(end: start), &found)
    return found
  }

  /// Whether the template fits the rest of the name from a place on.
  mutating func fitsRest(_ template: NameTemplate, at start: Int) -> Bool {
    fits(template, at: start).contains { $0.end == name.count }
  }

  private mutating func advance(
    _ template: NameTemplate, _ step: Int, _ fit: Fit, _ found: inout [Fit]
  ) {
    guard step < template.steps.count else {
      found.append(fit)
      return
    }
    patience -= 1
    guard patience > 0 else { return }
    switch template.steps[step] {
    case .split(let other):
      advance(template, step + 1, fit, &found)
      advance(template, other, fit, &found)
    case .text(let text):
      guard let end = end(of: text, at: fit.end, template) else { return }
      go(template, step, fit, to: end, &found)
    case .anyOf(let texts):
      for (index, text) in texts.enumerated() {
        if let end = end(of: text, at: fit.end, template) {
          go(template, step, fit, to: end, choice: index, &found)
        }
      }
    case .date:
      if let end = endOfDate(at: fit.end, separated: true) {
        go(template, step, fit, to: end, &found)
      }
    case .day:
      if let end = endOfDate(at: fit.end, separated: false) {
        go(template, step, fit, to: end, &found)
      }
    case .run(let kind, let length):
      advanceRun(template, step, fit, kind, length, &found)
    }
  }

  private mutating func advanceRun(
    _ template: NameTemplate, _ step: Int, _ fit: Fit, _ kind: NameClass,
    _ length: ClosedRange<Int>,
    _ found: inout [Fit]
  ) {
    var end = fit.end
    var depth = 0
    while end < name.count, end - fit.end < length.upperBound, patience > 0 {
      let code = name.codes[end]
      guard kind.contains(code) else { return }
      if kind.isBalanced {
        if code == UInt32(ascii: "(") { depth += 1 }
        if code == UInt32(ascii: ")") { depth -= 1 }
        if depth < 0 { return }
      }
      end += 1
      if depth == 0 && end - fit.end >= length.lowerBound {
        go(template, step, fit, to: end, &found)
      }
    }
  }

  private mutating func go(
    _ template: NameTemplate, _ step: Int, _ fit: Fit, to end: Int, choice: Int? = nil,
    _ found: inout [Fit]
  ) {
    var next = fit
    switch template.meanings[step] {
    case .device: next.device = next.device ?? fit.end..<end
    case .date: next.date = fit.end..<end
    case .phrase: next.phrase = choice
    case nil: break
    }
    next.end = end
    advance(template, step + 1, next, &found)
  }

  private func end(of text: [UInt32], at start: Int, _ template: NameTemplate) -> Int? {
    let given = template.ignoresCase ? name.folded : name.codes
    guard start + text.count <= given.count else { return nil }
    for offset in text.indices where given[start + offset] != text[offset] { return nil }
    return start + text.count
  }

  /// The end of `2026-11-21` or `20261121`, if that is a day.
  private func endOfDate(at start: Int, separated: Bool) -> Int? {
    var place = start
    var values: [Int] = []
    for (index, width) in [4, 2, 2].enumerated() {
      if separated && index > 0 {
        guard place < name.count, name.codes[place] == UInt32(ascii: "-") else { return nil }
        place += 1
      }
      guard place + width <= name.count else { return nil }
      var value = 0
      for code in name.codes[place..<place + width] {
        guard NameClass.digit.contains(code) else { return nil }
        value = value * 10 + Int(code & 0xF)
      }
      values.append(value)
      place += width
    }
    return 1...12 ~= values[1] && 1...31 ~= values[2] ? place : nil
  }
}

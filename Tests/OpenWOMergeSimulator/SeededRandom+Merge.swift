import Corpora

extension SeededRandom {
  /// A number from zero, below the bound.
  mutating func below(_ bound: Int) -> Int { number(0...bound - 1) }

  /// True in this many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

import ExampleShared

/// The unit that weights are shown and typed in; they are kept in kilograms.
enum WeightUnit: String, Hashable {
  case kg, lb

  init(named name: String) throws {
    guard let unit = WeightUnit(rawValue: name) else {
      throw Mistake(en: "'\(name)' is no unit: kg or lb", ja: "単位はkgかlbです。")
    }
    self = unit
  }

  private var inKilograms: Double {
    switch self {
    case .kg: 1
    case .lb: 0.45359237
    }
  }

  func kilograms(_ weight: Double) -> Double { weight * inKilograms }

  /// A weight for people, to a tenth.
  func text(_ kilograms: Double) -> String {
    let tenths = (kilograms / inKilograms * 10).rounded()
    return "\(tenths / 10) \(rawValue)"
  }
}

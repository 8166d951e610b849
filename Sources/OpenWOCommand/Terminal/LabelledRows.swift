/// Lines with a label each, the texts below one another.
enum LabelledRows {
  static func lines(_ rows: [(label: String, text: String)]) -> [String] {
    let width = rows.map(\.label.count).max() ?? 0
    return rows.map { label, text in
      "  " + label + String(repeating: " ", count: width - label.count + 2) + text
    }
  }
}

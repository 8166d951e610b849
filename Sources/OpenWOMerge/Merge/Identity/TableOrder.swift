/// Puts tables in an order in which those that are pointed to come first.
enum TableOrder {
  /// The order; within a cycle, by name.
  static func parentsFirst(_ tables: [String: TableMerge]) -> [String] {
    var order: [String] = []
    var seen: Set<String> = []
    func visit(_ name: String) {
      guard let table = tables[name], seen.insert(name).inserted else { return }
      for parent in table.references.map(\.parent).sorted() { visit(parent) }
      order.append(name)
    }
    for name in tables.keys.sorted() { visit(name) }
    return order
  }
}

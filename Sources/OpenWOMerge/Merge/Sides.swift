/// A thing for each side of a merge.
package struct Sides<Thing> {
  package var ours: Thing
  package var theirs: Thing

  /// Both things.
  package init(ours: Thing, theirs: Thing) {
    self.ours = ours
    self.theirs = theirs
  }

  /// The value of a side.
  package subscript(side: MergeSide) -> Thing {
    get { side == .ours ? ours : theirs }
    // In place: setting would copy a list for each change of one element.
    _modify { if side == .ours { yield &ours } else { yield &theirs } }
  }
}

extension Sides: Sendable where Thing: Sendable {}
extension Sides: Equatable where Thing: Equatable {}
extension Sides: Hashable where Thing: Hashable {}

/// A thing for each side of a merge.
package struct Sides<Thing> {
  package var ours: Thing
  package var theirs: Thing

  /// Both things.
  package init(ours: Thing, theirs: Thing) {
    self.ours = ours
    self.theirs = theirs
  }

  /// The thing of a side.
  package subscript(side: MergeSide) -> Thing {
    get { side == .ours ? ours : theirs }
    set { if side == .ours { ours = newValue } else { theirs = newValue } }
  }
}

extension Sides: Sendable where Thing: Sendable {}

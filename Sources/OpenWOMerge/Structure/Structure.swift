/// The verdict of a walk over every b-tree of a database, its freelist and its overflow chains.
///
/// The walk needs no collation, function or module of an application, and evaluates nothing that a schema says. So it judges the file, not
/// the values in it: <https://sqlite.org/fileformat2.html>.
package struct Structure: Sendable, Hashable {
  /// Why SQLite cannot read or change the database; nil if it can.
  package var damage: String?
  /// Signs that pages of different states came together although each can be read.
  package var doubts: [String] = []

  /// Walks over a database whose pages do not change meanwhile.
  ///
  /// Memory is a bit for each page, and a few pages.
  ///
  /// - Throws: What the source throws when it cannot be read.
  package static func check(_ source: any PageSource) throws -> Structure {
    do {
      var walk = StructureWalk(source)
      try walk.run()
      return Structure(damage: nil, doubts: walk.doubts)
    } catch let fault as Fault {
      return Structure(damage: fault.sentence)
    } catch let fault as MalformedPage {
      return Structure(damage: Fault(fault).sentence)
    }
  }

  /// A fault of a page.
  struct Fault: Error {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }

    init(_ fault: MalformedPage) {
      sentence =
        switch fault.reason {
        case .outOfRange: "page \(fault.page) is named and does not exist"
        case .kind: "page \(fault.page) is not of the kind that its place asks for"
        case .cellPointer: "page \(fault.page) has a row outside its bounds"
        case .payload, .header, .serialType: "page \(fault.page) has a row that cannot be read"
        case .overflow: "page \(fault.page) does not hold the rest of its row"
        case .depth: "page \(fault.page) is deeper than any tree"
        case .cycle: "page \(fault.page) is used twice"
        }
    }
  }
}

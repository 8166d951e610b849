extension JSONValue {
  /// The members of an object in canonical form, their values as they are written.
  ///
  /// Nothing but the names is read, so it costs little however many values there are.
  static func members(ofCanonical object: [UInt8]) -> [JSONMember] {
    var members: [JSONMember] = []
    var place = 1
    while place < object.count - 1 {
      let nameEnd = end(ofValueAt: place, in: object)
      let valueEnd = end(ofValueAt: nameEnd + 1, in: object)
      guard nameEnd < valueEnd,
        case .string(let name)? = try? JSONParser.parse(Array(object[place..<nameEnd]))
      else { return [] }
      members.append(JSONMember(name, .written(Array(object[nameEnd + 1..<valueEnd]))))
      place = valueEnd + 1
    }
    return members
  }

  /// The end of the value at a place: before the comma, colon or bracket that follows it.
  private static func end(ofValueAt start: Int, in bytes: [UInt8]) -> Int {
    var (place, depth, isText) = (start, 0, false)
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\") where isText: place += 1
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 0 { return place }
        if bytes[place] == UInt8(ascii: "]") || bytes[place] == UInt8(ascii: "}") { depth -= 1 }
      default: break
      }
      place += 1
    }
    return place
  }
}

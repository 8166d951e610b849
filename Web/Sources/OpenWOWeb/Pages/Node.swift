/// A piece of a page.
///
/// Names are written in the program and values come from anywhere, so a value can only ever be text: there is no piece that
/// is markup made of a string.
indirect enum Node: Sendable {
  case text(String)
  case element(Name, [(Name, String)], [Node])
  case group([Node])

  /// The name of an element or an attribute; only a literal of this program is one.
  struct Name: Sendable, ExpressibleByStringLiteral {
    let text: StaticString

    init(stringLiteral text: StaticString) {
      self.text = text
    }
  }

  /// Nothing at all.
  static let none = Node.group([])
}

extension Node: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  init(stringLiteral text: String) { self = .text(text) }

  init(arrayLiteral nodes: Node...) { self = .group(nodes) }
}

/// An element with its attributes and what is in it; an empty value of a boolean attribute leaves it bare.
func tag(
  _ name: Node.Name, _ attributes: KeyValuePairs<Node.Name, String> = [:], _ children: Node...
) -> Node {
  .element(name, attributes.map { ($0.key, $0.value) }, children)
}

/// An element with a list in it.
func tag(
  _ name: Node.Name, _ attributes: KeyValuePairs<Node.Name, String> = [:], all children: [Node]
) -> Node {
  .element(name, attributes.map { ($0.key, $0.value) }, children)
}

extension Node {
  /// The same element with one more attribute if a condition holds.
  func with(_ name: Name, _ value: String = "", if holds: Bool = true) -> Node {
    guard holds, case .element(let tag, let attributes, let children) = self else { return self }
    return .element(tag, attributes + [(name, value)], children)
  }

  /// Text from outside, held apart from the direction of the text around it.
  static func foreign(_ text: String) -> Node { tag("bdi", [:], .text(text)) }

  /// A mark that says nothing to a screen reader.
  static func mark(_ text: String) -> Node { tag("span", ["aria-hidden": "true"], .text(text)) }
}

/// Writing it out.
extension Node {
  private static let empty: Set<String> = ["meta", "link", "input", "br", "hr"]

  /// The page as HTML, beginning with its document type.
  var document: String { "<!DOCTYPE html>\n" + html }

  /// The piece as HTML.
  var html: String {
    var out = ""
    write(to: &out)
    return out
  }

  private func write(to out: inout String) {
    switch self {
    case .text(let text): Self.escape(text, to: &out)
    case .group(let nodes): for node in nodes { node.write(to: &out) }
    case .element(let name, let attributes, let children):
      let name = name.text.description
      out += "<\(name)"
      for (key, value) in attributes {
        out += " \(key.text)=\""
        Self.escape(value, to: &out)
        out += "\""
      }
      out += ">"
      guard !Self.empty.contains(name) else { return }
      for child in children { child.write(to: &out) }
      out += "</\(name)>"
    }
  }

  /// Text with nothing in it that could be markup, and with control characters shown instead of sent.
  private static func escape(_ text: String, to out: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      case "\n", "\t": out.unicodeScalars.append(scalar)
      case "\u{0}"..<"\u{20}":
        out.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case "\u{7F}": out += "\u{2421}"
      case "\u{80}"..<"\u{A0}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": out += "\u{FFFD}"
      default: out.unicodeScalars.append(scalar)
      }
    }
  }
}

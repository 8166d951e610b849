import Testing

@testable import OpenWO

struct CSVTextTests {
  @Test func `quotation marks are doubled, also under an accent`() {
    let text = CSVText.document(["a\"\u{301}"], [[.text("b\"\u{301}")], [.text("say \"so\"")]])
    let wanted = "\"a\"\"\u{301}\"\r\n\"b\"\"\u{301}\"\r\n\"say \"\"so\"\"\"\r\n"
    #expect(Array(text.utf8) == Array(wanted.utf8))
  }
}

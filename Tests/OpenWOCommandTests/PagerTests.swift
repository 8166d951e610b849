import Testing

@testable import OpenWOCommand

/// When a text is longer than the screen.
struct PagerTests {
  @Test(arguments: [
    ("a\nb", 3, false), ("a\nb\nc", 3, true), ("", 2, false),
    // Eleven characters are two lines of ten.
    ("01234567890\nb", 3, true), ("0123456789\nb", 3, false),
    ("\u{1b}[32m0123456789\u{1b}[0m\nb", 3, false),
  ])
  func `lines are counted as they are broken, without their colours`(
    text: String, rows: Int, isNeeded: Bool
  ) {
    #expect(Pager.isNeeded(text, columns: 10, rows: rows) == isNeeded)
  }

  @Test func `cat is not a pager`() {
    #expect(Pager(Array("cat".utf8)) == nil)
    #expect(Pager(Array("most -s".utf8))?.command.hasSuffix("; most -s") == true)
    #expect(Pager(nil)?.command.contains("exec less") == true)
  }
}

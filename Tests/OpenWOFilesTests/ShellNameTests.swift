import SystemPackage
import Testing

@testable import OpenWOFiles

struct ShellNameTests {
  @Test(arguments: [
    ("plain/name.db", "plain/name.db"), ("it's.db", #"'it'\''s.db'"#), ("日記.db", "'日記.db'"),
    // A quotation mark and an accent behind it are one character, and two for a shell.
    ("a'\u{301}b.db", #"'a'\''\#u{301}b.db'"#),
  ])
  func `a path is one word for a shell`(path: String, word: String) {
    #expect(Array(FilePath(path).shellName.utf8) == Array(word.utf8))
  }
}

import Testing

@testable import OpenWOMerge

/// References, keys and places that were declared, as no definition says them.
struct DeclarationMergeTests {
  @Test func `a declared reference follows its row, and what it points to stays`() throws {
    var scene = try MergeScene(
      "CREATE TABLE book(id INTEGER PRIMARY KEY, name); CREATE TABLE note(id INTEGER PRIMARY KEY, "
        + "book, text); INSERT INTO book VALUES(1,'one'); INSERT INTO note VALUES(1,1,'first')",
      ours: "INSERT INTO book VALUES(2,'ours'); INSERT INTO note VALUES(2,2,'of ours'); "
        + "DELETE FROM note; DELETE FROM book WHERE id=1; INSERT INTO note VALUES(2,2,'of ours')",
      theirs: "INSERT INTO book VALUES(2,'theirs'); INSERT INTO note VALUES(2,2,'of theirs'),"
        + "(3,1,'more')")
    scene.options.declared = [
      .reference(table: "Note", column: "book", parent: "book", parentColumn: "ID")
    ]
    let query = "SELECT name, text FROM note JOIN book ON book.id = book ORDER BY text"
    #expect(try scene.outcome(query) == ["one|more", "ours|of ours", "theirs|of theirs"])
    #expect(try scene.merge().report.undeclared.isEmpty)
  }

  @Test func `new rows that meet in a declared key are one row, whole from the later writer`()
    throws
  {
    var scene = try MergeScene(
      "CREATE TABLE day(id INTEGER PRIMARY KEY, date, mood, text); "
        + "CREATE TABLE photo(id INTEGER PRIMARY KEY, day REFERENCES day, name)",
      ours: "INSERT INTO day VALUES(1,'monday','fine','long'); INSERT INTO photo VALUES(1,1,'a')",
      theirs: "INSERT INTO day VALUES(1,'sunday','x','y'),(2,'monday','bad',NULL); "
        + "INSERT INTO photo VALUES(1,2,'b')")
    scene.options.declared = [.key(table: "day", columns: ["date"])]
    #expect(
      try scene.outcome("SELECT date, mood, text FROM day ORDER BY date") == [
        "monday|bad|NULL", "sunday|x|y",
      ])
    #expect(
      try scene.outcome("SELECT count(*), count(DISTINCT day) FROM photo") == ["2|1"])
  }

  @Test func `a log finds its exercise by a declared key when the plan was rewritten`() throws {
    var scene = try MergeScene(
      "CREATE TABLE plan(id INTEGER PRIMARY KEY, workout, position, sets); "
        + "CREATE TABLE log(id INTEGER PRIMARY KEY, plan NOT NULL REFERENCES plan(id), weight); "
        + "INSERT INTO plan VALUES(1,'A',1,3),(2,'A',2,3),(3,'A',3,3)",
      ours: "DELETE FROM plan; INSERT INTO plan VALUES(11,'A',1,5),(12,'A',2,5)",
      theirs: "INSERT INTO log VALUES(1,1,60),(2,2,70)")
    scene.options.declared = [.key(table: "plan", columns: ["workout", "position"])]
    #expect(
      try scene.outcome("SELECT workout, position, sets FROM plan ORDER BY position") == [
        "A|1|5", "A|2|5",
      ])
    #expect(
      try scene.outcome("SELECT position, weight FROM log JOIN plan ON plan.id = plan") == [
        "1|60", "2|70",
      ])
  }

  @Test(arguments: [true, false])
  func `of rows that meet in a place both stay, and the later one gets the next that is free`(
    isUnique: Bool
  ) throws {
    var scene = try MergeScene(
      "CREATE TABLE item(id INTEGER PRIMARY KEY, list, position, name"
        + (isUnique ? ", UNIQUE(list, position)" : "") + ");"
        + "INSERT INTO item VALUES(1,'a',1,'one'),(2,'a',2,'two'),(3,'b',1,'other')",
      ours: "INSERT INTO item VALUES(4,'a',3,'ours'),(5,'a',4,'next')",
      theirs: "INSERT INTO item VALUES(4,'a',3,'theirs'),(5,'b',2,'there')")
    scene.options.declared = [
      .place(table: "item", columns: isUnique ? ["position"] : ["list", "position"])
    ]
    #expect(
      try scene.outcome("SELECT list, position, name FROM item ORDER BY list, position") == [
        "a|1|one", "a|2|two", "a|3|ours", "a|4|next", "a|5|theirs", "b|1|other", "b|2|there",
      ])
  }

  @Test func `what is declared of columns that are not there counts for nothing`() throws {
    var scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v)", ours: "INSERT INTO t VALUES(1,'a')",
      theirs: "INSERT INTO t VALUES(1,'b')")
    scene.options.declared = [
      .key(table: "t", columns: ["v", "gone"]), .place(table: "t", columns: ["gone"]),
      .reference(table: "t", column: "gone", parent: "t", parentColumn: "id"),
      .reference(table: "t", column: "v", parent: "gone", parentColumn: "id"),
    ]
    #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["a", "b"])
  }
}

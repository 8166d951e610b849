import Foundation
import Testing

/// Data written out for other programs.
struct ExportTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT, weight REAL, data BLOB);
        INSERT INTO entry VALUES (1, 'a, \\\"b\\\"', 80.0, x'00ff'), (2, NULL, 1.5, NULL), (3, '', NULL, NULL);
        CREATE TABLE tag (name TEXT PRIMARY KEY, n) WITHOUT ROWID;
        INSERT INTO tag VALUES ('z', 9223372036854775807), ('a', 'é🙂');" && openwo init diary.db
      """)
    return stage
  }

  @Test func `json has every table, its rows in the order of their keys`() throws {
    try stage().expect(
      """
      $ openwo export
      {"schema": "openwo/1", "userVersion": 0, "tables": {
        "entry": [
          {"id": 1, "text": "a, \\"b\\"", "weight": 80.0, "data": {"blob": "00FF"}},
          {"id": 2, "text": null, "weight": 1.5, "data": null},
          {"id": 3, "text": "", "weight": null, "data": null}
        ],
        "tag": [
          {"name": "a", "n": "é🙂"},
          {"name": "z", "n": 9223372036854775807}
        ]
      }}
      """)
  }

  @Test func `a full-text table over a table that is gone is left out and named`() throws {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE n(x); CREATE TABLE kept(a); INSERT INTO kept VALUES (1);
        CREATE VIRTUAL TABLE f USING fts5(x, content='n'); DROP TABLE n" && openwo init diary.db
      """)
    try stage.expect(
      """
      $ openwo export
      {"schema": "openwo/1", "userVersion": 0, "tables": {
        "kept": [
          {"a": 1}
        ]
      }}
      ! openwo: note: left out f: no such table: main.n
      $ openwo export --format csv --table f
      ! openwo: note: left out f: no such table: main.n
      ! openwo: error: CSV is one table, and there is none to write
      ! openwo: hint: name one: openwo export --format csv --table NAME
      [64]
      """)
  }

  @Test func `generated columns come under their own names`() throws {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE t(a INTEGER PRIMARY KEY, twice GENERATED ALWAYS AS (a * 2) STORED, b TEXT, c AS (b || '!'));
        INSERT INTO t(a, b) VALUES (1, 'one')" && openwo init diary.db
      """)
    try stage.expect(
      """
      $ openwo export
      {"schema": "openwo/1", "userVersion": 0, "tables": {
        "t": [
          {"a": 1, "twice": 2, "b": "one", "c": "one!"}
        ]
      }}
      """)
    #expect(
      try stage.text("openwo export --format csv --table t") == "a,twice,b,c\r\n1,2,one,one!\r\n")
  }

  /// A value of each kind, and texts that look like another one.
  private func kinds(_ encoding: String) throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 kinds.db "PRAGMA encoding = '\(encoding)'; CREATE TABLE kind(id INTEGER PRIMARY KEY, v, twice AS (id * 2));
        INSERT INTO kind(v) VALUES (NULL), (''), (x''), (x'00ff'), (1), (1.0), (-0.0), (9e999), (-9e999), (1e300),
          ('1'), ('1.0'), ('x''00'''), ('inf'), (' a'), ('a,b'), ('é🙂'), (9223372036854775807), (char(10));
        CREATE INDEX byText ON kind(v)"; openwo init kinds.db
      """)
    return stage
  }

  @Test func `csv tells each kind of value from the others`() throws {
    #expect(
      try kinds("UTF-8").text("openwo export --format csv | tr -d '\\r'")
        == """
        id,v,twice
        1,,2
        2,"",4
        3,x'',6
        4,x'00FF',8
        5,1,10
        6,1.0,12
        7,-0.0,14
        8,9e999,16
        9,-9e999,18
        10,1e+300,20
        11,"1",22
        12,"1.0",24
        13,"x'00'",26
        14,"inf",28
        15," a",30
        16,"a,b",32
        17,é🙂,34
        18,9223372036854775807,36
        19,"\n",38

        """)
  }

  @Test func `json has a form for each kind of value`() throws {
    let text = try kinds("UTF-16be").text("openwo export")
    for line in [
      #"{"id": 3, "v": {"blob": ""}, "twice": 6}"#, #"{"id": 2, "v": "", "twice": 4}"#,
      #"{"id": 6, "v": 1.0, "twice": 12}"#, #"{"id": 7, "v": -0.0, "twice": 14}"#,
      #"{"id": 8, "v": {"real": "inf"}, "twice": 16}"#, #"{"id": 14, "v": "inf", "twice": 28}"#,
      #"{"id": 9, "v": {"real": "-inf"}, "twice": 18}"#, #"{"id": 11, "v": "1", "twice": 22}"#,
    ] { #expect(text.contains(line)) }
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `sql gives each value back as it was, in the same encoding`(encoding: String) throws {
    let stage = try kinds(encoding)
    // In one of the encodings it ends with half of a character.
    try stage.text("sqlite3 kinds.db \"INSERT INTO kind(v) VALUES (CAST(x'610041D8' AS TEXT))\"")
    try stage.text("openwo export --format sql | sqlite3 -bail ../made.db")
    let look = "'SELECT id, typeof(v), quote(v), hex(v), twice FROM kind; PRAGMA encoding'"
    #expect(try stage.text("sqlite3 ../made.db \(look)") == stage.text("sqlite3 kinds.db \(look)"))
  }

  @Test func `no character of json does anything to a terminal`() throws {
    let stage = try stage()
    try stage.text(
      #"sqlite3 diary.db "INSERT INTO tag VALUES(char(0x7f, 0x9b, 0x202e, 0xe0001, 0xfc), 1)""#)
    let text = try stage.text("openwo export")
    #expect(text.contains(#""\u007f\u009b\u202e\udb40\udc01ü""#))
  }

  @Test func `csv is one table, and says so when there are several`() throws {
    let stage = try stage()
    #expect(
      try stage.text("openwo export --format csv --table entry")
        == "id,text,weight,data\r\n1,\"a, \"\"b\"\"\",80.0,x'00FF'\r\n2,,1.5,\r\n3,\"\",,\r\n")
    try stage.expect(
      """
      $ openwo export --format csv
      ! openwo: error: CSV is one table, here are 2: entry, tag
      ! openwo: hint: name one: openwo export --format csv --table NAME
      [64]
      $ openwo export --table nope
      ! openwo: error: there is no table 'nope'
      ! openwo: hint: the tables are: entry, tag
      [64]
      """)
  }

  @Test func `the SQL script recreates the database`() throws {
    let stage = try stage()
    try stage.text("openwo export --format sql | sqlite3 ../copy.db")
    #expect(
      try stage.text("sqlite3 ../copy.db .dump") == stage.text("sqlite3 diary.db .dump"))
  }

  @Test func `an app's own form is a query`() throws {
    let stage = try stage()
    try stage.text("echo \"SELECT json_object('n', count(*)) FROM entry\" > ../own.sql")
    #expect(try stage.text("openwo export --profile ../own.sql") == "{\"n\":3}\n")
    try stage.text("echo 'DELETE FROM entry' > ../own.sql")
    #expect(try stage.run("openwo export --profile ../own.sql").status != 0)
    #expect(try stage.text("sqlite3 diary.db 'SELECT count(*) FROM entry'") == "3\n")
  }

  @Test func `a file is written once, and the same data gives the same bytes`() throws {
    try stage().expect(
      """
      $ openwo export -o ../one.json
      exported 358 B to ../one.json
      $ openwo export -o ../one.json
      ! openwo: error: ../one.json is there already; nothing was written
      ! openwo: hint: choose another name
      [64]
      $ openwo export -o ../two.json --quiet && cmp ../one.json ../two.json
      """)
  }

  @Test func `while somebody has the lock the state from before is exported`() throws {
    let stage = try stage()
    let before = try stage.text("openwo export")
    try stage.text("on mac openwo sync; on mac openwo lock --note by-hand")
    try stage.text("sqlite3 diary.db 'DELETE FROM entry'")
    let export = try stage.run("openwo export")
    #expect(export.status == 0 && export.text == before)
    #expect(export.remarkText.contains("may be stale"))
  }
}

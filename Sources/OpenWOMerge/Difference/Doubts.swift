/// Tables, by folded name, of which a merge must not take for granted what it takes of others.
struct Doubts {
  /// Those whose rowids may be other rows' in the two databases.
  var rowids: Set<String> = []
  /// Those in which a column seems to be renamed and is not.
  var renames: Set<String> = []

  /// All of these tables.
  var tables: Set<String> { rowids.union(renames) }
}

"""Rows as the oracle of merges knows them: by their token, whatever number they have."""

import collections

from content import connect, default_cells, quoted, word


def folded(cell):
    """A form in which keys that some collation holds equal are equal."""
    kind, value = cell
    if kind == "text":
        return kind, value.lower().rstrip(b" \x00")
    return cell


class Schema:
    """What of a schema the oracle needs: references, keys, what must be unique."""

    def __init__(self, path):
        connection = connect(path)
        self.references, self.unique, self.checked = {}, {}, set()
        for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall():
            name, sql = word(name), word(sql)
            self.references[name] = self._references(connection, name)
            self.unique[name] = self._unique(connection, name)
            if "CHECK" in sql or "UNIQUE" in sql or self.unique[name]:
                self.checked.add(name)
        connection.close()

    def _references(self, connection, name):
        found = {}
        for row in connection.execute(f"PRAGMA foreign_key_list({quoted(name)})").fetchall():
            parent, mine, theirs = word(row[2]), word(row[3]), word(row[4])
            if theirs is None:
                keys = [word(one[1]) for one in connection.execute(f"PRAGMA table_info({quoted(parent)})") if one[5]]
                theirs = keys[0] if len(keys) == 1 else None
            if theirs:
                found[mine] = (parent, theirs)
        return found

    def _unique(self, connection, name):
        found = []
        for row in connection.execute(f"PRAGMA index_list({quoted(name)})").fetchall():
            if row[2]:
                names = [word(one[2]) for one in connection.execute(f"PRAGMA index_xinfo({quoted(word(row[1]))})").fetchall() if one[5]]
                # Of an expression only the table is known: every row might meet every other.
                found.append(None if None in names else names)
        return found


class Rows:
    """All rows of a content, by table and identity."""

    def __init__(self, content, schema):
        self.content, self.schema = content, schema
        self.tables = {}
        self.doubled = collections.Counter()
        self.defaults = {}  # of columns that were added to old rows
        self._places = {}
        for name in self.order():
            self.tables[name] = self.read(name)

    def fills(self, name, columns):
        """Whether each of these columns, which a side added, has the cell in its row that old rows got."""
        if name not in self.defaults:
            stored = [column for column in self.content.tables[name].stored if not column.key and column.name != "token"]
            self.defaults[name] = default_cells(stored, self.content.encoding)
        return all(self.defaults[name].get(column, cell) == cell for column, cell in columns.items())

    def order(self):
        """The tables, those first to which others point."""
        names = [name for name, table in self.content.tables.items() if not table.is_virtual]
        done = []
        def visit(name):
            if name in done or name not in names:
                return
            for parent, _ in self.schema.references.get(name, {}).values():
                if parent != name:
                    visit(parent)
            done.append(name)
        for name in names:
            visit(name)
        return done

    def read(self, name):
        table = self.content.tables[name]
        columns = [column.name for column in table.columns]
        shift = 1 if table.is_told_by_rowid else 0
        generated = {column.name for column in table.columns if column.is_generated}
        references = self.schema.references.get(name, {})
        rows, raw = {}, []
        for row in self.content.rows[name]:
            cells = dict(zip(columns, row[shift:]))
            raw.append(cells)
            key = row[0] if shift else tuple(cells[column] for column in table.key)
            identity = cells["token"] if "token" in cells else None
            if name not in self._places:
                self._places[name] = []
            self._places[name].append((cells, identity))
        for cells, row in zip(raw, self.content.rows[name]):
            mapped = {}
            for column, cell in cells.items():
                if column in generated:
                    continue
                mapped[column] = self.target(references[column], cell) if column in references else cell
            key = row[0] if shift else tuple(folded(cells[column]) for column in table.key)
            number = table.key[0] if table.has_number else None
            identity = cells["token"] if "token" in cells else tuple(sorted((c, mapped[c]) for c in table.key))
            if identity in rows:
                self.doubled[(name, identity)] += 1
            shown = {column: cell for column, cell in mapped.items() if column != number or column in references}
            rows[identity] = (key, shown)
        return rows

    def target(self, reference, cell):
        """The row to which a cell points, by its identity; the cell itself if there is none."""
        parent, column = reference
        if cell[0] == "null":
            return cell
        near = None
        for cells, identity in self._places.get(parent, []):
            if identity is None or column not in cells:
                continue
            if cells[column] == cell:
                return "row", (parent, identity)
            if near is None and folded(cells[column]) == folded(cell):
                near = "row", (parent, identity)
        return near or cell

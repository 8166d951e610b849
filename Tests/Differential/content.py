"""What a database holds, read by Python's own SQLite: each value with its type, byte for byte."""

import sqlite3
import struct


def connect(path, foreign_keys=False):
    """Opens a database as a plain program does; what is text comes as bytes."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = bytes
    connection.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
    return connection


def quoted(name):
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def word(value):
    """A name or a text of the schema."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def cell(kind, value, is_wide=False):
    """A value that equals only its like: a real by its bits, a text by the bytes that are stored."""
    kind = word(kind)
    if kind == "real":
        return "real", struct.pack(">d", value)
    if kind == "text" and is_wide and len(value) % 2:
        # SQLite itself passes over half a character.
        return "text", value[:-1]
    return kind, value


class Column:
    """One column of a table: its place in the key, and whether it is computed."""

    def __init__(self, row):
        self.name, self.type, self.default = word(row[1]), word(row[2]), row[4]
        self.key, self.is_generated = row[5], row[6] in (2, 3)
        self.is_hidden = row[6] == 1


def default_cells(columns, encoding):
    """For each column the cell that a row has which does not name it."""
    connection = sqlite3.connect(":memory:")
    connection.text_factory = bytes
    connection.execute(f"PRAGMA encoding = '{encoding}'")
    found = {}
    for column in columns:
        expression = word(column.default) if column.default is not None else "NULL"
        connection.execute(f"CREATE TABLE t(c {column.type} DEFAULT ({expression}))")
        connection.execute("INSERT INTO t DEFAULT VALUES")
        row = connection.execute("SELECT typeof(c), CASE typeof(c) WHEN 'text' THEN CAST(c AS BLOB) ELSE c END FROM t").fetchone()
        found[column.name] = cell(*row, encoding != "UTF-8")
        connection.execute("DROP TABLE t")
    connection.close()
    return found


class Table:
    """A table of a database with its rows."""

    def __init__(self, connection, name, sql, tables):
        self.name, self.sql, self.problem = name, sql, None
        self.is_virtual = sql.lstrip().upper().startswith("CREATE VIRTUAL")
        listed = [Column(row) for row in connection.execute(f"PRAGMA table_xinfo({quoted(name)})")]
        self.columns = [column for column in listed if not column.is_hidden]
        self.stored = [column for column in self.columns if not column.is_generated]
        self.key = [column.name for column in sorted(self.columns, key=lambda one: one.key) if column.key]
        self.is_without_rowid = bool(tables.get(name, {}).get("without_rowid"))
        names = {column.name.lower() for column in self.columns}
        self.rowid = next((one for one in ("rowid", "oid", "_rowid_") if one not in names), None)
        if self.is_without_rowid:
            self.rowid = None
        self.has_number = bool(
            self.rowid and len(self.key) == 1 and self._is_number(connection))

    def _is_number(self, connection):
        """Whether the key is another name of the row's number."""
        indexes = [word(row[3]) for row in connection.execute(f"PRAGMA index_list({quoted(self.name)})")]
        return "pk" not in indexes

    @property
    def is_told_by_rowid(self):
        """Whether the number is all that tells its rows apart."""
        return bool(self.rowid) and (self.is_virtual or not self.key)

    def rows(self, connection, names=None):
        """The rows, each a tuple of cells; before them the row's number if nothing else tells rows apart."""
        names = [column.name for column in self.columns] if names is None else names
        parts = [quoted(name) for name in names]
        if self.is_told_by_rowid:
            parts.insert(0, self.rowid)
        if not parts:
            return []
        words = ", ".join(f"typeof({part}), CASE typeof({part}) WHEN 'text' THEN CAST({part} AS BLOB) ELSE {part} END"
                          for part in parts)
        found = connection.execute(f"SELECT {words} FROM {quoted(self.name)}")
        is_wide = connection.execute("PRAGMA encoding").fetchone()[0] != b"UTF-8"
        return [tuple(cell(row[i], row[i + 1], is_wide) for i in range(0, len(row), 2)) for row in found]


SHADOWS = ("_data", "_idx", "_content", "_docsize", "_config", "_node", "_parent", "_rowid")


class Content:
    """The schema and all rows of a database."""

    def __init__(self, path):
        connection = connect(path)
        try:
            self._read(connection)
        finally:
            connection.close()

    def _read(self, connection):
        self.encoding = word(connection.execute("PRAGMA encoding").fetchone()[0])
        self.settings = tuple(connection.execute(f"PRAGMA {name}").fetchone()[0]
                              for name in ("user_version", "application_id"))
        entries = [tuple(word(value) for value in row) for row in connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'")]
        facts = {}
        for row in connection.execute("PRAGMA table_list"):
            facts[word(row[1])] = {"kind": word(row[2]), "without_rowid": row[4], "strict": row[5]}
        virtual = [name for kind, name, _, sql in entries if kind == "table" and sql.upper().startswith("CREATE VIRTUAL")]
        shadows = {name + ending for name in virtual for ending in SHADOWS}
        self.schema = sorted(entry for entry in entries if entry[1] not in shadows)
        self.tables = {}
        self.rows = {}
        for kind, name, _, sql in self.schema:
            if kind == "table":
                table = Table(connection, name, sql, facts)
                self.tables[name] = table
                try:
                    self.rows[name] = sorted(table.rows(connection), key=repr)
                except sqlite3.DatabaseError as error:
                    # A full-text table, say, whose content is gone.
                    self.rows[name], table.problem = [], str(error)
        self.sequence = []
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").fetchone():
            self.sequence = sorted((word(name), seq) for name, seq in connection.execute(
                "SELECT name, seq FROM sqlite_sequence") if isinstance(name, bytes))

    def __eq__(self, other):
        return self.difference(other) is None

    def difference(self, other, sequence=True):
        """The first thing in which two contents differ, in words; None if they are equal."""
        if self.settings != other.settings:
            return f"user_version and application_id: {self.settings} and {other.settings}"
        if self.schema != other.schema:
            only = [entry for entry in self.schema if entry not in other.schema]
            there = [entry for entry in other.schema if entry not in self.schema]
            return f"schema: {only} and {there}"
        for name, rows in self.rows.items():
            if rows != other.rows[name]:
                only = [row for row in rows if row not in other.rows[name]]
                there = [row for row in other.rows[name] if row not in rows]
                return f"rows of {name!r}: {only[:2]} and {there[:2]}, {len(rows)} and {len(other.rows[name])} in all"
        if sequence and self.sequence != other.sequence:
            return f"sqlite_sequence: {self.sequence} and {other.sequence}"
        return None


def health(path):
    """What SQLite finds wrong with a database; an empty list if it is whole."""
    connection = connect(path)
    try:
        found = [word(row[0]) for row in connection.execute("PRAGMA integrity_check")]
        found = [line for line in found if line != "ok"]
        found += [f"foreign key: {[word(one) for one in row]}" for row in connection.execute("PRAGMA foreign_key_check")]
        for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%fts5%'").fetchall():
            name = quoted(word(name))
            try:
                connection.execute("SAVEPOINT s")
                connection.execute(f"INSERT INTO {name}({name}, rank) VALUES('integrity-check', 1)")
            except sqlite3.DatabaseError as error:
                found.append(f"{name}: {error}")
            finally:
                connection.execute("ROLLBACK TO s")
                connection.execute("RELEASE s")
        return found
    finally:
        connection.close()

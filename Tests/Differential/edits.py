"""Random edits of whatever database is there: statements, of which only those that SQLite takes are kept."""

import sqlite3

import values
from content import Table, connect, quoted, word


class Editor:
    """Makes edits on an open database and keeps the statements."""

    def __init__(self, random, path, tokens=None, foreign_keys=False, odd=True):
        self.random, self.path, self.odd = random, path, odd
        self.tokens = tokens  # the beginning of each token that this side gives, or None
        self.count = 0
        self.foreign_keys = foreign_keys
        self.kept = []
        self.connection = connect(path, foreign_keys)

    def close(self):
        self.connection.close()

    def run(self, statement):
        """Runs a statement; returns whether it worked and did something."""
        before = self.connection.total_changes
        try:
            self.connection.execute(statement)
        except (sqlite3.Error, sqlite3.Warning, OverflowError):
            return False
        is_change = not statement.startswith(("INSERT", "UPDATE", "DELETE")) or self.connection.total_changes != before
        if is_change:
            self.kept.append(statement)
        return is_change

    def tables(self):
        facts = {}
        found = self.connection.execute("PRAGMA table_list").fetchall()
        for row in found:
            facts[word(row[1])] = {"without_rowid": row[4]}
        listed = self.connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        shadows = {word(row[1]) for row in found if word(row[2]) == "shadow"}
        tables = [Table(self.connection, word(name), word(sql), facts) for name, sql in listed
                  if not word(name).startswith("sqlite_") and word(name) not in shadows]
        # What only triggers write, and full text that belongs to a table, is left to them.
        return [table for table in tables if not table.name.startswith(("audit", "監査")) and "content=" not in table.sql]

    # Rows.

    def insert(self, table):
        names, parts = [], []
        references = self.references(table)
        for column in table.stored:
            if column.name == "token" and self.tokens is not None:
                self.count += 1
                names.append(column.name)
                parts.append(f"'{self.tokens}{self.count}'")
                continue
            is_number = table.has_number and column.key
            if is_number and self.random.random() < 0.75 or (
                    self.random.random() < 0.15 and not column.key and not (column.name in references)):
                continue
            names.append(column.name)
            parts.append(self.value(table, column, references))
        if not names:
            return self.run(f"INSERT INTO {quoted(table.name)} DEFAULT VALUES")
        number = ""
        if table.is_told_by_rowid and self.random.random() < 0.15:
            names.append(table.rowid)
            parts.append(str(self.random.randint(-5, 60)))
        listed = ", ".join(quoted(name) if name != table.rowid else name for name in names)
        return self.run(f"INSERT INTO {quoted(table.name)}({listed}) VALUES({', '.join(parts)}){number}")

    def references(self, table):
        """Column: (parent table, parent column) of keys of one column."""
        found = {}
        for row in self.connection.execute(f"PRAGMA foreign_key_list({quoted(table.name)})").fetchall():
            parent, mine, theirs = word(row[2]), word(row[3]), word(row[4])
            if theirs is None:
                key = [word(one[1]) for one in self.connection.execute(f"PRAGMA table_info({quoted(parent)})") if one[5]]
                theirs = key[0] if len(key) == 1 else None
            if theirs:
                found[mine] = (parent, theirs)
        return found

    def value(self, table, column, references):
        reference = references.get(column.name)
        if reference and self.random.random() < 0.9:
            return self.parent_key(*reference) or "NULL"
        if table.is_virtual and "rtree" in table.sql:
            return str(self.random.randint(-50, 0) if column.name == "x0" else self.random.randint(1, 500))
        if column.key:
            if "INT" in column.type.upper():
                return str(self.random.randint(-3, 80))
            if "BLOB" in column.type.upper():
                return f"x'{self.random.randbytes(self.random.choice([1, 4, 16])).hex()}'"
            if self.odd and self.random.random() < 0.1:
                return values.value(self.random, column.type)
            if "REAL" in column.type.upper():
                return str(self.random.randint(0, 9) / 2)
            return values.text(self.random.choice(["a", "A", "a ", "b", "Ä", "キー"]) if self.random.random() < 0.2
                               else f"k{self.random.randrange(100_000)}")
        return values.value(self.random, column.type, self.odd)

    def parent_key(self, parent, column):
        try:
            found = self.connection.execute(
                f"SELECT quote({quoted(column)}) FROM {quoted(parent)} LIMIT 1 OFFSET ?", (self.random.randrange(12),)).fetchone()
            found = found or self.connection.execute(f"SELECT quote({quoted(column)}) FROM {quoted(parent)} LIMIT 1").fetchone()
        except sqlite3.Error:
            return None
        # A text that SQL cannot write as it is falls short; another row will do.
        if not found or b"\0" in found[0]:
            return None
        try:
            return found[0].decode()
        except UnicodeDecodeError:
            return None

    def some_row(self, table):
        """A condition that is true for one row, or a few."""
        names = [column.name for column in table.stored if column.key]
        by = [table.rowid] if table.rowid else [quoted(name) for name in names]
        if not by:
            return None
        listed = ", ".join(f"quote({name})" for name in by)
        try:
            rows = self.connection.execute(f"SELECT {listed} FROM {quoted(table.name)} ORDER BY {', '.join(by)}").fetchall()
            if not rows:
                return None
            row = rows[-1] if self.random.random() < 0.25 else self.random.choice(rows)
            return " AND ".join(f"{name} IS {value.decode()}" for name, value in zip(by, row))
        except (sqlite3.Error, UnicodeDecodeError):
            return None

    def update(self, table):
        where = self.some_row(table)
        columns = [column for column in table.stored if not column.key and column.name != "token"]
        if not where or not columns:
            return False
        references = self.references(table)
        chosen = self.random.sample(columns, min(len(columns), self.random.choice([1, 1, 2])))
        parts = [f"{quoted(column.name)} = {self.value(table, column, references)}" for column in chosen]
        return self.run(f"UPDATE {quoted(table.name)} SET {', '.join(parts)} WHERE {where}")

    def delete(self, table):
        where = self.some_row(table)
        return bool(where) and self.run(f"DELETE FROM {quoted(table.name)} WHERE {where}")

    def change_key(self, table):
        where = self.some_row(table)
        keys = [column for column in table.stored if column.key]
        if not where or table.is_virtual or not (keys or table.rowid):
            return False
        if keys:
            column = self.random.choice(keys)
            new = self.value(table, column, self.references(table))
            return self.run(f"UPDATE {quoted(table.name)} SET {quoted(column.name)} = {new} WHERE {where}")
        return self.run(f"UPDATE {quoted(table.name)} SET {table.rowid} = {self.random.randint(1, 99)} WHERE {where}")

    def reuse_number(self, table):
        """Removes the newest row and makes another, which gets its number if the table does not remember."""
        if not table.rowid or table.is_virtual:
            return False
        if not self.run(f"DELETE FROM {quoted(table.name)} WHERE {table.rowid} = (SELECT max({table.rowid}) FROM {quoted(table.name)})"):
            return False
        return self.insert(table)

    def edit(self, count, inserts=0.45, schema=0.0, rare=0.12):
        """So many edits, if the database takes them."""
        for _ in range(count):
            if self.random.random() < schema:
                self.change_schema()
                continue
            tables = self.tables()
            if not tables:
                return
            table = self.random.choice(tables)
            chance = self.random.random()
            if chance < inserts:
                self.insert(table)
            elif chance < inserts + (1 - inserts) * 0.5:
                self.update(table)
            elif chance < 1 - rare:
                self.delete(table)
            else:
                self.random.choice([self.change_key, self.reuse_number])(table)

    # The schema.

    def change_schema(self):
        random = self.random
        tables = [table for table in self.tables() if not table.is_virtual]
        if not tables:
            return
        table = random.choice(tables)
        name = quoted(table.name)
        plain = [column.name for column in table.stored if not column.key and column.name != "token"]
        number = random.randrange(1000)
        statements = [
            f"ALTER TABLE {name} ADD COLUMN \"new {number}\" TEXT",
            f"ALTER TABLE {name} ADD COLUMN \"n{number}\" INTEGER NOT NULL DEFAULT {random.randrange(9)}",
            f"CREATE INDEX \"ix n{number}\" ON {name}({quoted(random.choice(plain)) if plain else '1'})",
            f"CREATE VIEW \"v n{number}\" AS SELECT count(*) FROM {name}",
            f"CREATE TABLE \"t n{number}\"(id INTEGER PRIMARY KEY, {'token TEXT NOT NULL' if self.tokens else 'a'}, v TEXT)"]
        if self.tokens is None:
            statements += [
                f"ALTER TABLE {name} RENAME TO \"renamed {number}\"",
                f"DROP TABLE {name}",
                f"PRAGMA user_version = {number}",
                f"PRAGMA application_id = {number}"]
            if plain:
                column = quoted(random.choice(plain))
                statements += [f"ALTER TABLE {name} DROP COLUMN {column}", f"ALTER TABLE {name} RENAME COLUMN {column} TO \"r{number}\""]
        self.run(random.choice(statements))
        for kind in ("index", "trigger", "view"):
            if self.tokens is None and random.random() < 0.1:
                found = self.connection.execute("SELECT name FROM sqlite_master WHERE type = ? AND sql IS NOT NULL", (kind,)).fetchall()
                if found:
                    self.run(f"DROP {kind.upper()} {quoted(word(random.choice(found)[0]))}")

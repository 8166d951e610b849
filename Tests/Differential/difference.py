"""Cases of `openwo diff`: two databases, and all that it says of them."""

import collections
import random as randomness
import re
import shutil
import sqlite3
import struct

import changeset
import content
from command import Command, Fault, shell, sqldiff
from content import Content
from edits import Editor
from printed import document, from_json
from schemas import SchemaMaker


def make_sides(seed, folder):
    """Makes the two databases of a case; returns the statements of what they share and of each."""
    random = randomness.Random(f"diff {seed}")
    common = folder / "common.sqlite"
    editor = Editor(random, common)
    if random.random() < 0.25:
        editor.run(f"PRAGMA encoding = '{random.choice(['UTF-16le', 'UTF-16be'])}'")
    if random.random() < 0.3:
        editor.run(f"PRAGMA page_size = {random.choice([512, 1024, 8192, 65536])}")
    if random.random() < 0.2:
        editor.run(f"PRAGMA auto_vacuum = {random.choice([1, 2])}")
    for statement in SchemaMaker(random, tokens=False).make():
        editor.run(statement)
    editor.edit(random.choice([0, 5, 20, 60]), inserts=0.9)
    editor.close()
    made = [editor.kept]
    for name in ("a", "b"):
        path = folder / f"{name}.sqlite"
        shutil.copyfile(common, path)
        editor = Editor(random, path, foreign_keys=random.random() < 0.3)
        count = random.choice([0, 0, 1, 3]) if name == "a" else random.choice([0, 1, 1, 3, 10, 30])
        editor.edit(count, schema=random.choice([0, 0, 0.1, 0.3]))
        if random.random() < 0.1:
            editor.run("VACUUM")
        editor.close()
        made.append(editor.kept)
    return made


def build(statements, folder):
    """Makes the two databases from given statements; what SQLite does not take is passed over."""
    for name, listed in (("a", statements[1]), ("b", statements[2])):
        path = folder / f"{name}.sqlite"
        path.unlink(missing_ok=True)
        connection = content.connect(path)
        for statement in statements[0] + listed:
            try:
                connection.execute(statement)
            except (sqlite3.Error, sqlite3.Warning):
                pass
        # A file without a table has no bytes.
        connection.execute("PRAGMA user_version = 0")
        connection.close()


class DiffCase:
    """One case: everything that the command says of two databases."""

    def __init__(self, folder, store, tamper=None):
        self.folder = folder
        self.a, self.b = folder / "a.sqlite", folder / "b.sqlite"
        self.counts = collections.Counter()
        self.openwo = Command(store.parent, "diff", tamper=tamper)
        self.store = store

    def check(self):
        """Raises a fault if something does not hold; returns what was counted."""
        self.one, self.other = Content(self.a), Content(self.b)
        # Counters of AUTOINCREMENT are no rows; only the script has them.
        difference = self.one.difference(self.other, sequence=False)
        _, output, _ = self.openwo("diff", self.store, self.a, self.b, "--json", "--rows", "--exit-code", expect=(0, 3))
        said = document(output)
        self.counts["diffs"] += 1
        left = {table["table"]: table["notCompared"] for table in said["tables"] if table["notCompared"]}
        self.counts["tables not compared"] += len(left)
        if said["equal"] and difference:
            raise Fault("equal though different", difference)
        if not said["equal"] and not difference:
            raise Fault("different though equal", str(said)[:800])
        self.check_schema(said)
        for table in said["tables"]:
            if not table["notCompared"]:
                self.check_table(table)
        self.check_unlisted(said, left)
        self.check_script(left)
        self.check_text(said)
        self.check_sqldiff(said)
        self.check_session(said)
        return self.counts

    # The schema.

    def check_schema(self, said):
        def entries(side):
            return {(kind, name): sql for kind, name, _, sql in side.schema if sql}
        old, new = entries(self.one), entries(self.other)
        expected = {(kind, name): "added" for kind, name in set(new) - set(old)}
        expected |= {(kind, name): "removed" for kind, name in set(old) - set(new)}
        expected |= {key: "changed" for key in set(old) & set(new) if old[key] != new[key]}
        listed = {(one["type"], one["name"]): one["kind"] for one in said["schemaChanges"] if one["type"] != "setting"}
        if listed != expected:
            raise Fault("schema changes", f"said {listed}, are {expected}")
        settings = {one["name"] for one in said["schemaChanges"] if one["type"] == "setting"}
        differing = {name for name, i in (("user_version", 0), ("application_id", 1))
                     if self.one.settings[i] != self.other.settings[i]}
        if settings != differing and not settings - differing - {"encoding"} == set():
            raise Fault("settings", f"said {settings}, are {differing}")

    # Rows.

    def listed_cells(self, row, side, count, table):
        if row is None:
            return None
        if len(row) != count:
            raise Fault("row width", f"{table}: {row}")
        return tuple(from_json(value, side.encoding) for value in row)

    def rows_of(self, side, name, columns):
        """The rows of a table with the columns that are named; before each its number if that is the key."""
        table = side.tables.get(name)
        if not table:
            return collections.Counter(), False
        named = [column.name for column in table.columns]
        by_number = table.is_told_by_rowid
        if by_number and columns and columns[0] not in named:
            columns = columns[1:]
        wanted = [named.index(column) + by_number for column in columns]
        rows = side.rows[name]
        return collections.Counter(tuple(([row[0]] if by_number else []) + [row[i] for i in wanted]) for row in rows), by_number

    def check_table(self, said):
        name = said["table"]
        inserts = [row for row in said["rows"] if row["kind"] == "inserted"]
        deletes = [row for row in said["rows"] if row["kind"] == "deleted"]
        updates = [row for row in said["rows"] if row["kind"] == "updated"]
        if [len(inserts), len(updates), len(deletes)] != [said["inserted"], said["updated"], said["deleted"]]:
            raise Fault("counts", f"{name}: {said['inserted']}, {said['updated']}, {said['deleted']}")
        old, by_number = self.rows_of(self.one, name, said["oldColumns"])
        new, new_by_number = self.rows_of(self.other, name, said["newColumns"])
        is_whole = said["keyedBy"] == "wholeRow"
        for row in said["rows"]:
            before = self.listed_cells(row["old"], self.one, len(said["oldColumns"]), name)
            after = self.listed_cells(row["new"], self.other, len(said["newColumns"]), name)
            if before is not None:
                self.take(old, before, row, by_number, "rowid" in said["oldColumns"][:1], is_whole, self.one, name)
            if after is not None:
                self.take(new, after, row, new_by_number, "rowid" in said["newColumns"][:1], is_whole, self.other, name)
            if before == after and said["oldColumns"] == said["newColumns"]:
                raise Fault("update without a change", f"{name}: {row}")
        self.check_rest(said, old, new, by_number, new_by_number)
        if not is_whole:
            gone = {repr(row["key"]) for row in deletes if None not in row["key"]}
            for row in inserts:
                if repr(row["key"]) in gone:
                    raise Fault("deleted and inserted", f"{name}: {row['key']}")
        self.counts["rows listed"] += len(said["rows"])

    def take(self, rows, cells, row, by_number, has_number, is_whole, side, name):
        """Takes a listed row away from those that there are."""
        if by_number and not has_number:
            if is_whole:
                found = next((one for one in rows if one[1:] == cells and rows[one]), None)
                if found is None:
                    raise Fault("row that is not there", f"{name}: {row}")
                cells = found
            else:
                cells = (from_json(row["key"][0], side.encoding), *cells)
        if not rows[cells]:
            raise Fault("row that is not there", f"{name}: {row}")
        rows[cells] -= 1

    def check_rest(self, said, old, new, by_number, new_by_number):
        """What is not listed is equal in the columns of both, and has the default in those that were added."""
        name = said["table"]
        shared = [column for column in said["oldColumns"] if column in said["newColumns"]]
        def project(rows, columns, number):
            shift = 1 if number and columns[:1] != ["rowid"] else 0
            wanted = [columns.index(column) + shift for column in shared]
            with_number = number and by_number and new_by_number and said["keyedBy"] != "wholeRow"
            return collections.Counter(dict(self.summed(rows, wanted, with_number)))
        one, other = project(old, said["oldColumns"], by_number), project(new, said["newColumns"], new_by_number)
        if one != other:
            raise Fault("rows not listed", f"{name}: {list((one - other).elements())[:2]} and {list((other - one).elements())[:2]}")

    def summed(self, rows, wanted, with_number):
        total = collections.Counter()
        for row, count in rows.items():
            if count:
                total[tuple(([row[0]] if with_number else []) + [row[i] for i in wanted])] += count
        return total.items()

    def check_unlisted(self, said, left):
        """A table that is not listed has the same rows on both sides."""
        listed = {table["table"] for table in said["tables"]}
        for name in set(self.one.tables) | set(self.other.tables):
            if name in listed or name in left or any(
                    "content=" in side.tables[name].sql for side in (self.one, self.other) if name in side.tables):
                continue
            rows, others = self.one.rows.get(name, []), self.other.rows.get(name, [])
            if not rows and not others:
                continue
            table = self.one.tables.get(name), self.other.tables.get(name)
            if table[0] and table[1] and rows != others:
                # What is generated of a column that only one side has differs as that does.
                shared = [c.name for c in table[0].stored if c.name in {d.name for d in table[1].stored}]
                if self.rows_of(self.one, name, shared)[0] != self.rows_of(self.other, name, shared)[0]:
                    raise Fault("table not listed", f"{name}: {rows[:2]} and {others[:2]}")
            elif not (table[0] and table[1]):
                raise Fault("table not listed", f"{name} is on one side only, with rows")

    # The script.

    def check_script(self, left):
        _, script, _ = self.openwo("diff", self.store, self.a, self.b, "--sql")
        target = self.folder / "applied.sqlite"
        shutil.copyfile(self.a, target)
        complaint = shell(target, script)
        if complaint:
            raise Fault("script fails", f"{complaint}\n{script.decode(errors='replace')[:1500]}")
        applied = Content(target)
        for name in left:
            if name in applied.rows and name in self.other.rows:
                applied.rows[name] = self.other.rows[name]
        difference = applied.difference(self.other)
        if difference:
            raise Fault("script makes something else", f"{difference}\n{script.decode(errors='replace')[:1500]}")
        # Rows whose numbers are not their key may have other numbers, so what is wrong is only counted.
        broken = content.health(target)
        if len(broken) > max(len(content.health(self.a)), len(content.health(self.b))):
            raise Fault("script breaks the database", str(broken[:3]))
        if self.one == self.other and script.strip() and not re.fullmatch(rb"(?s)(PRAGMA foreign_keys=OFF;\s*BEGIN;\s*COMMIT;)?\s*", script):
            raise Fault("script without a difference", script.decode(errors="replace")[:400])

    # The text.

    def check_text(self, said):
        _, text, _ = self.openwo("diff", self.store, self.a, self.b)
        lines = text.decode("utf-8", "replace").splitlines()
        if said["equal"]:
            if len(lines) != 1 or "same tables and rows" not in lines[0]:
                raise Fault("text", f"equal, and says {lines[:3]}")
            return
        if any("same tables and rows" in line for line in lines):
            raise Fault("text", f"different, and says {lines[:3]}")
        counted = collections.Counter()
        for line in lines[1:]:
            if re.match(r"  \S.*?  \d+ (added|changed|removed)", line):
                for number, kind in re.findall(r"(\d+) (added|changed|removed)", line.rsplit("  ", 1)[-1]):
                    counted[kind] += int(number)
        for kind, field in (("added", "inserted"), ("changed", "updated"), ("removed", "deleted")):
            total = sum(table[field] for table in said["tables"])
            if counted[kind] != total:
                raise Fault("text", f"{counted[kind]} {kind}, and the JSON has {total}: {lines[:6]}")

    # The yardstick.

    def check_sqldiff(self, said):
        """sqldiff never finds fewer rows, where it can compare at all."""
        if said["schemaChanges"] or any("VIRTUAL" in table.sql or " AS (" in table.sql for table in self.one.tables.values()):
            return
        summary = sqldiff(self.a, self.b, "--summary", "--primarykey")
        if summary is None:
            return
        self.counts["held against sqldiff"] += 1
        found = re.findall(rb"(\d+) changes, (\d+) inserts, (\d+) deletes", summary)
        theirs = sum(int(number) for row in found for number in row)
        ours = sum(table["inserted"] + table["updated"] + table["deleted"] for table in said["tables"] if table["keyedBy"] != "wholeRow")
        if ours > theirs:
            raise Fault("more rows than sqldiff", f"{ours} and {theirs}: {summary.decode(errors='replace')[:500]}")
        self.counts["sqldiff finds more"] += ours < theirs

    def check_session(self, said):
        """The session extension finds the same rows, where it can compare."""
        if not changeset.SQLITE:
            return
        listed = {table["table"]: table for table in said["tables"]}
        for name, old in self.one.tables.items():
            new = self.other.tables.get(name)
            if new is None or not self.is_fit(old, new, listed.get(name)):
                continue
            try:
                found = changeset.changes(self.a, self.b, name)
            except changeset.Unfit:
                continue
            self.counts["tables held against the session extension"] += 1
            table = listed.get(name) or {"rows": []}
            columns = [column.name for column in new.columns]
            places = [columns.index(key) for key in new.key]
            theirs = collections.Counter(told_alike(places, *change) for change in found)
            ours = collections.Counter(told_alike(places, row["kind"], *(
                row[side] and tuple(from_json(value, "UTF-8") for value in row[side]) for side in ("old", "new"))) for row in table["rows"])
            # It compares numbers by value, so what only became a number of another kind is no change to it.
            ours = collections.Counter({one: count for one, count in ours.items() if one[2] != ()})
            self.counts["rows that the session extension finds too"] += sum(theirs.values())
            if ours != theirs:
                raise Fault("other rows than the session extension", f"{name}: only openwo {list((ours - theirs).elements())[:2]}, "
                            f"only the extension {list((theirs - ours).elements())[:2]}")

    def is_fit(self, old, new, listed):
        """Whether the extension can compare two tables: with a key that is never NULL and told by its bytes, and the same columns in both."""
        if not old.key or old.sql != new.sql or any(word in old.sql for word in ("VIRTUAL", "COLLATE", " AS (")):
            return False
        if listed and (listed["notCompared"] or listed["oldColumns"] != listed["newColumns"]):
            return False
        columns = [column.name for column in new.columns]
        if listed and listed["newColumns"] != columns:
            return False
        keys = [columns.index(key) for key in new.key]
        rows = self.one.rows[new.name] + self.other.rows[new.name]
        return all(row[place][0] != "null" for row in rows for place in keys) and all(
            is_text(cell, self.one.encoding) for row in rows for cell in row)


def is_text(cell, encoding):
    """Whether a cell is no text that has to be changed to be valid."""
    if cell[0] != "text":
        return True
    try:
        return b"\0" not in cell[1].decode(encoding).encode()
    except UnicodeDecodeError:
        return False


def told_alike(places, kind, before, after):
    """A change of a row as both tell it: its kind, its key, and the cells that changed by value."""
    def number(cell):
        if cell and cell[0] == "real":
            return "number", struct.unpack(">d", cell[1])[0]
        return ("number", cell[1]) if cell and cell[0] == "integer" else cell
    before, after = (side and tuple(map(number, side)) for side in (before, after))
    key = tuple((before or after)[place] for place in places)
    if kind != "updated":
        return kind, key, before or after
    changed = ((place, now) for place, (was, now) in enumerate(zip(before, after)) if now is not None and now != was)
    return kind, key, tuple(changed)

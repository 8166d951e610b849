"""Cases of `openwo export`: what it writes loads back to the same typed content, or it says what it leaves out."""

import collections
import re
import shutil

from command import Command, Fault, shell
from content import Content
from printed import csv_records, document, from_csv, from_json


class ExportCase:
    """All forms of one database."""

    def __init__(self, folder, source, random, tamper=None):
        self.folder, self.random = folder, random
        self.live = folder / "export" / "app.sqlite"
        shutil.rmtree(self.live.parent, ignore_errors=True)
        self.live.parent.mkdir()
        shutil.copyfile(source, self.live)
        self.openwo = Command(folder / "export", "one", tamper=tamper)
        self.counts = collections.Counter()

    def check(self):
        self.openwo("init", self.live)
        self.content = Content(self.live)
        self.check_sql()
        self.check_json()
        self.check_csv()
        self.counts["exports"] += 3
        return self.counts

    def left_out(self, errors):
        return set(re.findall(r"note: left out (.*?): ", errors.decode("utf-8", "replace")))

    def check_sql(self):
        _, script, errors = self.openwo("export", self.live, "--format", "sql")
        target = self.folder / "loaded.sqlite"
        target.unlink(missing_ok=True)
        complaint = shell(target, script)
        if complaint:
            raise Fault("export sql fails", f"{complaint}\n{script.decode(errors='replace')[:1500]}")
        loaded = Content(target)
        left = self.left_out(errors)
        for name in left & set(loaded.rows) & set(self.content.rows):
            loaded.rows[name] = self.content.rows[name]
        if loaded.encoding != self.content.encoding and self.content.schema:
            raise Fault("export sql encoding", f"{loaded.encoding}, not {self.content.encoding}")
        difference = self.content.difference(loaded)
        if difference:
            raise Fault("export sql", f"{difference}\n{script.decode(errors='replace')[:1500]}")

    def rows(self, name):
        """The rows of a table without the number that nothing names."""
        skip = 1 if self.content.tables[name].is_told_by_rowid else 0
        return collections.Counter(row[skip:] for row in self.content.rows[name])

    def check_json(self):
        _, output, errors = self.openwo("export", self.live)
        said = document(output)
        left = self.left_out(errors)
        if said["userVersion"] != self.content.settings[0]:
            raise Fault("export json", f"userVersion {said['userVersion']}")
        missing = set(self.content.tables) - set(said["tables"]) - left
        if missing or set(said["tables"]) - set(self.content.tables):
            raise Fault("export json tables", f"missing {missing}, more {set(said['tables']) - set(self.content.tables)}")
        for name, rows in said["tables"].items():
            columns = [column.name for column in self.content.tables[name].columns]
            for row in rows:
                if list(row) != columns:
                    raise Fault("export json columns", f"{name}: {list(row)}, not {columns}")
            read = collections.Counter(
                tuple(from_json(value, self.content.encoding) for value in row.values()) for row in rows)
            self.compare("export json", name, read)

    def check_csv(self):
        names = sorted(self.content.tables)
        if not names:
            return
        name = self.random.choice(names)
        status, output, errors = self.openwo(
            "export", self.live, "--format", "csv", f"--table={name}", expect=(0, 64))
        if status == 64:
            if name not in self.left_out(errors):
                raise Fault("export csv", f"refused for {name!r}: {errors.decode(errors='replace')[:300]}")
            return
        records = csv_records(output.decode("utf-8"))
        columns = [column.name for column in self.content.tables[name].columns]
        if not records or [field for field, _ in records[0]] != columns:
            raise Fault("export csv columns", f"{name}: {records[:1]}, not {columns}")
        read = collections.Counter(
            tuple(from_csv(*field, self.content.encoding) for field in record) for record in records[1:])
        self.compare("export csv", name, read)

    def compare(self, kind, name, read):
        rows = self.rows(name)
        if read != rows:
            raise Fault(kind, f"{name}: written {list((read - rows).elements())[:2]}, are {list((rows - read).elements())[:2]}")

"""Random schemas, as SQL statements that make them.

With tokens each table but those that link two others has a column `token`, whose text names the row for ever: by it the oracle of merges
knows a row under whatever number. Without tokens the schemas are odder.
"""

from content import quoted

NAMES = ["item", "note", "set log", "日記", "select", "Order", "it's", 'a"b', "x;y", "ÄÖ", "1st", "group", "tbl-1", "t.u", "[x]",
         "ünïcode", "a%b", "q\"\u0301", "か\u3099", "が"]
COLUMNS = ["name", "value", "when", "memo", "数量", "from", "a b", 'q"q', "o'clock", "Ä", "c1",
           "c2", "c3", "key", "rank!", "$x", "[z]", "e\u0301", "é", "'\u0301"]
TYPES = ["INTEGER", "INT", "TEXT", "VARCHAR(20)", "REAL", "DOUBLE", "NUMERIC", "BLOB", "", "BOOLEAN", "DATETIME"]
STRICT_TYPES = ["INTEGER", "INT", "TEXT", "REAL", "BLOB", "ANY"]
ACTIONS = ["", "ON DELETE CASCADE", "ON DELETE SET NULL", "ON DELETE RESTRICT", "ON DELETE NO ACTION", "ON UPDATE CASCADE",
           "ON DELETE CASCADE ON UPDATE CASCADE", "ON DELETE SET DEFAULT", "ON DELETE SET NULL ON UPDATE SET NULL"]


class SchemaMaker:
    """Makes the statements of one schema."""

    def __init__(self, random, tokens):
        self.random, self.tokens = random, tokens
        self.statements = []
        self.made = []  # (name, key column or None, type of the key)
        self.used = set()

    def chance(self, share):
        return self.random.random() < share

    def fresh(self, pool):
        """A name that nothing here has yet, in any case."""
        while True:
            name = self.random.choice(pool)
            if self.chance(0.3):
                name += str(self.random.randrange(10))
            if name.lower() not in self.used:
                self.used.add(name.lower())
                return name

    def make(self):
        for _ in range(self.random.randint(1, 4)):
            self.table()
        if len(self.made) > 1 and self.chance(0.35):
            self.link()
        if self.chance(0.25):
            self.view()
        if self.chance(0.3):
            self.trigger()
        if self.chance(0.15):
            self.full_text()
        if not self.tokens and self.chance(0.12):
            self.statements.append(f"CREATE VIRTUAL TABLE {quoted(self.fresh(NAMES))} USING rtree(id, x0, x1)")
        return self.statements

    # Tables.

    def table(self):
        name, random = self.fresh(NAMES), self.random
        is_strict = self.chance(0.2)
        kind = random.choice(["integer", "integer", "auto", "text", "composite", "blob", "none", "text rowid"])
        columns, constraints, key, end = self.key(kind, is_strict)
        if self.tokens:
            columns.append("token TEXT NOT NULL")
        taken, plain = set(), []
        for _ in range(random.randint(1, 5)):
            column = random.choice(COLUMNS)
            if column.lower() in taken:
                continue
            taken.add(column.lower())
            type_name = random.choice(STRICT_TYPES if is_strict else TYPES)
            plain.append((column, type_name))
            columns.append(f"{quoted(column)} {type_name}{self.decoration(column, type_name)}")
        if self.made and self.chance(0.6):
            self.reference(columns, taken)
        if self.chance(0.2):
            self.generated(columns, plain)
        if self.chance(0.15) and len(plain) > 1:
            constraints.append(f"UNIQUE({', '.join(quoted(one) for one, _ in plain[:2])})")
        if self.chance(0.1) and plain:
            constraints.append(f"CHECK({quoted(plain[0][0])} IS NOT 'w1')")
        if not self.tokens:
            random.shuffle(columns)
        if is_strict:
            end = (end + ["STRICT"])
        body = ", ".join(columns + constraints)
        self.statements.append(f"CREATE TABLE {quoted(name)}({body}) {', '.join(end)}".rstrip())
        self.made.append((name, key, plain))
        if self.chance(0.35) and plain:
            self.index(name, plain)

    def key(self, kind, is_strict):
        """The columns of a key, its constraints, what references name, and what the table ends with."""
        if kind == "integer":
            return ["id INTEGER PRIMARY KEY"], [], ("id", "INTEGER"), []
        if kind == "auto":
            return ["id INTEGER PRIMARY KEY AUTOINCREMENT"], [], ("id", "INTEGER"), []
        collation = self.random.choice(["", "", " COLLATE NOCASE", " COLLATE RTRIM"])
        if kind == "text":
            return [f"k TEXT{collation} PRIMARY KEY NOT NULL"], [], ("k", f"TEXT{collation}"), ["WITHOUT ROWID"]
        if kind == "text rowid":
            return [f"k TEXT{collation} PRIMARY KEY"], [], ("k", f"TEXT{collation}"), []
        if kind == "blob":
            return ["k BLOB PRIMARY KEY"], [], ("k", "BLOB"), []
        if kind == "composite":
            second = self.random.choice(["INTEGER", "TEXT", "REAL"])
            descending = self.random.choice(["", " DESC"])
            return ([f"k1 TEXT{collation}", f"k2 {second}"], [f"PRIMARY KEY(k1, k2{descending})"], None,
                    self.random.choice([["WITHOUT ROWID"], []]))
        return [], [], None, []

    def decoration(self, column, type_name):
        random, parts = self.random, []
        if self.chance(0.12):
            parts.append(f"NOT NULL DEFAULT {self.default(type_name)}")
        elif self.chance(0.15):
            parts.append(f"DEFAULT {self.default(type_name)}")
        if self.chance(0.08):
            parts.append("UNIQUE")
        if "TEXT" in type_name and self.chance(0.25):
            parts.append(f"COLLATE {random.choice(['NOCASE', 'RTRIM', 'BINARY'])}")
        if self.chance(0.06):
            parts.append(f"CHECK(length({quoted(column)}) < 100000)")
        return "".join(" " + part for part in parts)

    def default(self, type_name):
        if "INT" in type_name:
            return self.random.choice(["0", "-1", "42"])
        if type_name in ("REAL", "DOUBLE", "NUMERIC"):
            return self.random.choice(["0.0", "1.5", "-1e300"])
        if type_name == "BLOB":
            return "x''"
        return self.random.choice(["''", "'a'", "'it''s'", "'日本'"])

    def reference(self, columns, taken):
        parents = [(name, key) for name, key, _ in self.made if key]
        if not parents:
            return
        name, (column, type_name) = self.random.choice(parents)
        mine = self.random.choice(["parent", "owner id", "ref"])
        if mine in taken:
            return
        taken.add(mine)
        deferred = self.random.choice(["", "", " DEFERRABLE INITIALLY DEFERRED"])
        target = f"({quoted(column)})" if self.chance(0.8) else ""
        columns.append(f"{quoted(mine)} {type_name} REFERENCES {quoted(name)}{target} {self.random.choice(ACTIONS)}{deferred}")

    def generated(self, columns, plain):
        column = quoted(self.random.choice(plain)[0])
        text = self.random.choice([f"typeof({column})", f"length({column})", f"coalesce({column}, 'none')", f"upper({column})"])
        kind = self.random.choice(["VIRTUAL", "STORED"])
        type_name = "ANY" if "coalesce" in text else self.random.choice(["TEXT", "INT"])
        type_name = {"t": "TEXT", "l": "INT", "u": "TEXT"}.get(text[0], type_name)
        columns.insert(self.random.randint(1, len(columns)), f"made {type_name} AS ({text}) {kind}")

    def link(self):
        parents = [(name, key) for name, key, _ in self.made if key]
        if len(parents) < 2:
            return
        (one, (c1, t1)), (two, (c2, t2)) = self.random.sample(parents, 2)
        action = self.random.choice(["", "ON DELETE CASCADE"])
        name = self.fresh(NAMES)
        self.statements.append(
            f"CREATE TABLE {quoted(name)}(l {t1} NOT NULL REFERENCES {quoted(one)}({c1}) {action}, r {t2} NOT NULL "
            f"REFERENCES {quoted(two)}({c2}) {action}, PRIMARY KEY(l, r)) {self.random.choice(['WITHOUT ROWID', ''])}".rstrip())

    # What belongs to tables.

    def index(self, name, plain):
        column = quoted(self.random.choice(plain)[0])
        unique = "UNIQUE " if self.chance(0.15) else ""
        text = self.random.choice([column, f"lower({column})", f"{column} COLLATE NOCASE", f"{column} DESC", f"length({column})"])
        where = self.random.choice(["", "", f" WHERE {column} IS NOT NULL", f" WHERE typeof({column}) = 'text'"])
        if unique and not where and "length" in text:
            unique = ""
        index = self.fresh(["ix one", "索引", "ix'2", "ix3", "ix4", "ix5"])
        self.statements.append(f"CREATE {unique}INDEX {quoted(index)} ON {quoted(name)}({text}){where}")

    def view(self):
        name, _, _ = self.random.choice(self.made)
        self.statements.append(f"CREATE VIEW {quoted(self.fresh(['v', '眺め', 'v 2']))} AS SELECT * FROM {quoted(name)} WHERE 1")

    def trigger(self):
        name, _, plain = self.random.choice(self.made)
        trigger = quoted(self.fresh(["trg", "trg;2", "引金"]))
        if self.chance(0.5) and plain:
            self.statements.append(
                f"CREATE TRIGGER {trigger} AFTER UPDATE ON {quoted(name)} WHEN NEW.{quoted(plain[0][0])} = 'w5' BEGIN "
                f"SELECT raise(ABORT, 'no; never'); END")
            return
        audit = self.fresh(["audit", "監査"])
        column = "token" if self.tokens else "what"
        token = "NEW.token" if self.tokens else "'x'"
        self.statements.append(f"CREATE TABLE {quoted(audit)}(id INTEGER PRIMARY KEY, {column} TEXT NOT NULL, n)")
        self.statements.append(
            f"CREATE TRIGGER {trigger} AFTER INSERT ON {quoted(name)} BEGIN INSERT INTO {quoted(audit)}({column}, n) "
            f"VALUES('a-' || {token}, length('x;y')); END")

    def full_text(self):
        own = [one for one in self.made if one[1] and one[1][0] == "id" and one[2]]
        name = quoted(self.fresh(["search", "検索"]))
        if own and (self.tokens or self.chance(0.5)):
            table, _, plain = self.random.choice(own)
            column, t = quoted(plain[0][0]), quoted(table)
            bare = name[1:-1]
            new = f"INSERT INTO {name}(rowid, {column}) VALUES(NEW.id, NEW.{column});"
            old = f"INSERT INTO {name}({name}, rowid, {column}) VALUES('delete', OLD.id, OLD.{column});"
            self.statements += [
                f"CREATE VIRTUAL TABLE {name} USING fts5({column}, content={t}, content_rowid='id')",
                f"CREATE TRIGGER {quoted(bare + ' i')} AFTER INSERT ON {t} BEGIN {new} END",
                f"CREATE TRIGGER {quoted(bare + ' d')} AFTER DELETE ON {t} BEGIN {old} END",
                f"CREATE TRIGGER {quoted(bare + ' u')} AFTER UPDATE ON {t} BEGIN {old} {new} END"]
        elif not self.tokens:
            self.statements.append(f"CREATE VIRTUAL TABLE {name} USING fts5(title, body)")

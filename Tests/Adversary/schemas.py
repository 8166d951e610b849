"""Schemas with what makes those of known apps hard: written for these tests, in the manner of each app.

Each has a table of rows with a token of their own, written by a program that knows its collations and functions.
"""

import hashlib
import sqlite3
import struct
import uuid


def unicase(one, other):
    one, other = one.casefold(), other.casefold()
    return (one > other) - (one < other)


def title_sort(title):
    for article in ("The ", "A ", "An "):
        if title.startswith(article):
            return f"{title[len(article):]}, {article.strip()}"
    return title


class Schema:
    """A plain log; the others change what differs."""

    name = "log"
    create = "CREATE TABLE log(id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT, note TEXT);"
    tokens = "SELECT token FROM log"
    # Whether two sides that both wrote can be merged by rows.
    merges = True

    def prepare(self, connection):
        """Gives a connection what the app has and a plain shell has not."""

    def begin(self, connection):
        connection.executescript(self.create)

    def add(self, connection, token, random):
        connection.execute("INSERT INTO log(token, note) VALUES(?, ?)", (token, "note " * random.randrange(40)))

    def change(self, connection, random):
        """Changes rows without taking a token away."""
        connection.execute("UPDATE log SET note = ? WHERE id % 3 = ?", (f"changed {random.random()}", random.randrange(3)))


class Anki(Schema):
    name = "anki"
    create = """
    CREATE TABLE col(id INTEGER PRIMARY KEY, crt INT NOT NULL, mod INT NOT NULL, conf TEXT NOT NULL);
    INSERT INTO col VALUES(1, 0, 0, '{}');
    CREATE TABLE notes(id INTEGER PRIMARY KEY, guid TEXT NOT NULL, mid INT NOT NULL, mod INT NOT NULL, usn INT NOT NULL,
      tags TEXT NOT NULL, flds TEXT NOT NULL, sfld INT NOT NULL, csum INT NOT NULL, flags INT NOT NULL, data TEXT NOT NULL);
    CREATE INDEX ix_notes_usn ON notes(usn);
    CREATE INDEX ix_notes_csum ON notes(csum);
    CREATE TABLE decks(id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL COLLATE unicase, common BLOB NOT NULL);
    CREATE UNIQUE INDEX idx_decks_name ON decks(name);
    CREATE TABLE fields(ntid INT NOT NULL, ord INT NOT NULL, name TEXT NOT NULL COLLATE unicase, config BLOB NOT NULL,
      PRIMARY KEY(ntid, ord)) WITHOUT ROWID;
    CREATE UNIQUE INDEX idx_fields_name_ntid ON fields(name, ntid);
    CREATE TABLE tags(tag TEXT NOT NULL PRIMARY KEY COLLATE unicase, usn INT NOT NULL) WITHOUT ROWID;
    CREATE TABLE revlog(id INTEGER PRIMARY KEY, cid INT NOT NULL, ease INT NOT NULL);
    INSERT INTO decks VALUES(1, 'Default', x'00');
    INSERT INTO fields VALUES(1, 0, 'Front', x''), (1, 1, 'Back', x'');
    """
    tokens = "SELECT guid FROM notes"

    def prepare(self, connection):
        connection.create_collation("unicase", unicase)

    def add(self, connection, token, random):
        fields = f"front {token}\x1fback"
        # Anki's ids are moments in milliseconds.
        number = random.getrandbits(40)
        connection.execute(
            "INSERT INTO notes VALUES(?, ?, 1, 0, -1, '', ?, ?, ?, 0, '')",
            (number, token, fields, f"front {token}", int(hashlib.sha1(token.encode()).hexdigest()[:8], 16)))
        connection.execute("INSERT OR IGNORE INTO tags VALUES(?, -1)", (f"Tag{random.randrange(6)}",))
        connection.execute("INSERT INTO revlog VALUES(?, ?, 3)", (random.getrandbits(40), number))

    def change(self, connection, random):
        connection.execute("UPDATE col SET mod = ?", (random.getrandbits(30),))
        connection.execute("UPDATE notes SET mod = mod + 1, usn = -1 WHERE id % 3 = ?", (random.randrange(3),))


class Calibre(Schema):
    name = "calibre"
    create = """
    CREATE TABLE books(id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT 'Unknown' COLLATE NOCASE,
      sort TEXT COLLATE NOCASE, uuid TEXT, last_modified TIMESTAMP NOT NULL DEFAULT '2000-01-01');
    CREATE INDEX books_idx ON books(sort COLLATE NOCASE);
    CREATE TABLE tags(id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, UNIQUE(name));
    CREATE TABLE books_tags_link(id INTEGER PRIMARY KEY, book INTEGER NOT NULL, tag INTEGER NOT NULL, UNIQUE(book, tag));
    CREATE TRIGGER books_insert_trg AFTER INSERT ON books BEGIN
      UPDATE books SET sort = title_sort(NEW.title), uuid = uuid4() WHERE id = NEW.id; END;
    CREATE TRIGGER books_update_trg AFTER UPDATE ON books BEGIN
      UPDATE books SET sort = title_sort(NEW.title) WHERE id = NEW.id AND OLD.title <> NEW.title; END;
    CREATE TRIGGER fkc_insert BEFORE INSERT ON books_tags_link BEGIN
      SELECT CASE WHEN (SELECT id FROM books WHERE id = NEW.book) IS NULL
        THEN RAISE(ABORT, 'Foreign key violation: book not in books') END; END;
    CREATE VIEW meta AS SELECT id, title, concat(title) AS all_titles FROM books;
    """
    tokens = "SELECT title FROM books"

    def prepare(self, connection):
        connection.create_function("title_sort", 1, title_sort)
        connection.create_function("uuid4", 0, lambda: str(uuid.uuid4()))

    def add(self, connection, token, random):
        book = connection.execute("INSERT INTO books(title) VALUES(?)", (token,)).lastrowid
        connection.execute("INSERT OR IGNORE INTO tags(name) VALUES(?)", (f"tag {random.randrange(4)}",))
        connection.execute(
            "INSERT INTO books_tags_link(book, tag) SELECT ?, id FROM tags ORDER BY random() LIMIT 1", (book,))

    def change(self, connection, random):
        connection.execute("UPDATE books SET last_modified = ? WHERE id % 3 = ?", (str(random.random()), random.randrange(3)))


class CoreData(Schema):
    name = "coredata"
    create = """
    CREATE TABLE ZWORKOUT(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTARTED TIMESTAMP, ZNAME VARCHAR);
    CREATE TABLE ZSET(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWORKOUT INTEGER, ZWEIGHT FLOAT);
    CREATE INDEX ZSET_ZWORKOUT_INDEX ON ZSET(ZWORKOUT);
    CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE(Z_CONTENT BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES(1, 'Workout', 0, 0), (2, 'Set', 0, 0);
    INSERT INTO Z_METADATA VALUES(1, 'B6D1', x'62706c697374');
    INSERT INTO Z_MODELCACHE VALUES(zeroblob(3000));
    """
    tokens = "SELECT ZNAME FROM ZWORKOUT"

    def add(self, connection, token, random):
        def key(entity):
            connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = ?", (entity,))
            table = "ZWORKOUT" if entity == 1 else "ZSET"
            # A merge gives rows other numbers; like the framework, continue from the greatest.
            return connection.execute(
                f"SELECT max(Z_MAX, coalesce((SELECT max(Z_PK) FROM {table}), 0) + 1) FROM Z_PRIMARYKEY WHERE Z_ENT = ?",
                (entity,)).fetchone()[0]

        workout = key(1)
        connection.execute("INSERT INTO ZWORKOUT VALUES(?, 1, 1, ?, ?)", (workout, random.random(), token))
        for _ in range(random.randrange(3)):
            connection.execute("INSERT INTO ZSET VALUES(?, 2, 1, ?, ?)", (key(2), workout, random.randrange(100)))

    def change(self, connection, random):
        connection.execute("UPDATE ZWORKOUT SET Z_OPT = Z_OPT + 1 WHERE Z_PK % 3 = ?", (random.randrange(3),))


class Room(Schema):
    name = "room"
    create = """
    CREATE TABLE android_metadata(locale TEXT);
    INSERT INTO android_metadata VALUES('ja_JP');
    CREATE TABLE room_master_table(id INTEGER PRIMARY KEY, identity_hash TEXT);
    INSERT INTO room_master_table VALUES(42, 'c103703e120ae8cc73c9248622f3cd1e');
    CREATE TABLE `Task`(`uid` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `title` TEXT NOT NULL, `done` INTEGER NOT NULL DEFAULT 0);
    CREATE VIRTUAL TABLE `TaskFts` USING FTS4(`title` TEXT NOT NULL, content=`Task`);
    CREATE TRIGGER room_fts_BEFORE_UPDATE BEFORE UPDATE ON `Task` BEGIN DELETE FROM `TaskFts` WHERE `docid` = OLD.`rowid`; END;
    CREATE TRIGGER room_fts_BEFORE_DELETE BEFORE DELETE ON `Task` BEGIN DELETE FROM `TaskFts` WHERE `docid` = OLD.`rowid`; END;
    CREATE TRIGGER room_fts_AFTER_UPDATE AFTER UPDATE ON `Task` BEGIN
      INSERT INTO `TaskFts`(`docid`, `title`) VALUES (NEW.`rowid`, NEW.`title`); END;
    CREATE TRIGGER room_fts_AFTER_INSERT AFTER INSERT ON `Task` BEGIN
      INSERT INTO `TaskFts`(`docid`, `title`) VALUES (NEW.`rowid`, NEW.`title`); END;
    """
    tokens = "SELECT title FROM Task"

    def add(self, connection, token, random):
        connection.execute("INSERT INTO Task(title) VALUES(?)", (token,))

    def change(self, connection, random):
        connection.execute("UPDATE Task SET done = 1 - done WHERE uid % 3 = ?", (random.randrange(3),))


class GnuCash(Schema):
    name = "gnucash"
    create = """
    CREATE TABLE gnclock(Hostname varchar(255), PID int);
    CREATE TABLE versions(table_name text(50) PRIMARY KEY NOT NULL, table_version integer NOT NULL);
    INSERT INTO versions VALUES('transactions', 4);
    CREATE TABLE accounts(guid text(32) PRIMARY KEY NOT NULL, name text(2048) NOT NULL);
    CREATE TABLE transactions(guid text(32) PRIMARY KEY NOT NULL, num text(2048) NOT NULL, post_date text(19), description text(2048));
    CREATE INDEX tx_post_date_index ON transactions(post_date);
    CREATE TABLE splits(guid text(32) PRIMARY KEY NOT NULL, tx_guid text(32) NOT NULL, account_guid text(32) NOT NULL,
      value_num bigint NOT NULL, value_denom bigint NOT NULL);
    CREATE INDEX splits_tx_guid_index ON splits(tx_guid);
    CREATE TABLE slots(id integer PRIMARY KEY AUTOINCREMENT NOT NULL, obj_guid text(32) NOT NULL, name text(4096) NOT NULL);
    INSERT INTO accounts VALUES('cash', 'Cash'), ('food', 'Food');
    """
    tokens = "SELECT description FROM transactions"

    def add(self, connection, token, random):
        guid = f"{random.getrandbits(128):032x}"
        connection.execute("INSERT INTO transactions VALUES(?, '', '2026-11-27', ?)", (guid, token))
        amount = random.randrange(10000)
        for account, value in (("cash", -amount), ("food", amount)):
            connection.execute(
                "INSERT INTO splits VALUES(?, ?, ?, ?, 100)", (f"{random.getrandbits(128):032x}", guid, account, value))
        connection.execute("INSERT INTO slots(obj_guid, name) VALUES(?, 'date-posted')", (guid,))
        connection.execute("DELETE FROM gnclock")
        connection.execute("INSERT INTO gnclock VALUES('host', ?)", (random.randrange(9999),))

    def change(self, connection, random):
        connection.execute("UPDATE transactions SET num = ? WHERE guid < ?", (str(random.random()), f"{random.getrandbits(8):02x}"))


class Firefox(Schema):
    name = "firefox"
    create = """
    CREATE TABLE moz_origins(id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL, frecency INTEGER NOT NULL, UNIQUE(prefix, host));
    CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url LONGVARCHAR, visit_count INTEGER DEFAULT 0, guid TEXT, url_hash INTEGER DEFAULT 0 NOT NULL,
      origin_id INTEGER REFERENCES moz_origins(id));
    CREATE INDEX moz_places_url_hashindex ON moz_places(url_hash);
    CREATE UNIQUE INDEX moz_places_guid_uniqueindex ON moz_places(guid);
    CREATE TABLE moz_historyvisits(id INTEGER PRIMARY KEY, place_id INTEGER, visit_date INTEGER);
    CREATE INDEX moz_historyvisits_placedateindex ON moz_historyvisits(place_id, visit_date);
    CREATE TABLE moz_meta(key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER moz_places_afterinsert AFTER INSERT ON moz_places BEGIN
      UPDATE moz_places SET url_hash = hash(NEW.url) WHERE id = NEW.id; END;
    """
    tokens = "SELECT url FROM moz_places"

    def prepare(self, connection):
        connection.create_function(
            "hash", 1, lambda text: int.from_bytes(hashlib.md5(text.encode()).digest()[:6], "big"), deterministic=True)

    def add(self, connection, token, random):
        connection.execute("INSERT OR IGNORE INTO moz_origins(prefix, host, frecency) VALUES('https://', ?, 1)", (f"host{random.randrange(5)}",))
        place = connection.execute(
            "INSERT INTO moz_places(url, guid, origin_id) SELECT ?, ?, id FROM moz_origins ORDER BY random() LIMIT 1",
            (token, f"{random.getrandbits(72):018x}")).lastrowid
        connection.execute("INSERT INTO moz_historyvisits(place_id, visit_date) VALUES(?, ?)", (place, random.getrandbits(50)))

    def change(self, connection, random):
        connection.execute("UPDATE moz_places SET visit_count = visit_count + 1 WHERE id % 3 = ?", (random.randrange(3),))
        connection.execute("INSERT OR REPLACE INTO moz_meta VALUES('sync/lastSync', ?)", (random.random(),))


class Vectors(Schema):
    """A virtual table of a module that SQLite does not have, with the tables in which it keeps its data."""

    name = "vectors"
    create = """
    CREATE TABLE doc(id INTEGER PRIMARY KEY, token TEXT);
    CREATE TABLE vec_info(key TEXT PRIMARY KEY, value ANY);
    CREATE TABLE vec_chunks(chunk_id INTEGER PRIMARY KEY AUTOINCREMENT, size INTEGER NOT NULL, validity BLOB NOT NULL, rowids BLOB NOT NULL);
    CREATE TABLE vec_rowids(rowid INTEGER PRIMARY KEY AUTOINCREMENT, id, chunk_id INTEGER, chunk_offset INTEGER);
    CREATE TABLE vec_vector_chunks00(rowid PRIMARY KEY, vectors BLOB NOT NULL);
    INSERT INTO vec_chunks VALUES(1, 1024, zeroblob(128), zeroblob(8192));
    INSERT INTO vec_vector_chunks00 VALUES(1, zeroblob(16384));
    PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema VALUES('table', 'vec', 'vec', 0, 'CREATE VIRTUAL TABLE vec USING vec0(embedding float[4])');
    PRAGMA writable_schema = RESET;
    """
    tokens = "SELECT token FROM doc"
    merges = False

    def add(self, connection, token, random):
        connection.execute("INSERT INTO doc(token) VALUES(?)", (token,))
        number = connection.execute("INSERT INTO vec_rowids(chunk_id, chunk_offset) VALUES(1, 0)").lastrowid
        place = (number - 1) % 1024
        connection.execute("UPDATE vec_rowids SET chunk_offset = ? WHERE rowid = ?", (place, number))
        vectors = bytearray(connection.execute("SELECT vectors FROM vec_vector_chunks00").fetchone()[0])
        vectors[place * 16:place * 16 + 16] = struct.pack("<4f", *(random.random() for _ in range(4)))
        connection.execute("UPDATE vec_vector_chunks00 SET vectors = ?", (bytes(vectors),))

    def change(self, connection, random):
        connection.execute("UPDATE vec_chunks SET size = 1024")


class Modern(Schema):
    name = "modern"
    create = """
    CREATE TABLE item(id INTEGER PRIMARY KEY, token TEXT NOT NULL, price REAL DEFAULT 1.5,
      shown TEXT GENERATED ALWAYS AS (token || ':' || price) STORED, low TEXT AS (lower(token)) VIRTUAL) STRICT;
    CREATE UNIQUE INDEX item_low ON item(low);
    CREATE INDEX item_price ON item(price) WHERE price > 2;
    CREATE TABLE tag(item INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE, name TEXT NOT NULL, PRIMARY KEY(item, name)) WITHOUT ROWID, STRICT;
    CREATE VIRTUAL TABLE search USING fts5(token, content='item', content_rowid='id');
    CREATE TRIGGER item_ai AFTER INSERT ON item BEGIN INSERT INTO search(rowid, token) VALUES(NEW.id, NEW.token); END;
    CREATE VIRTUAL TABLE place USING rtree(id, west, east);
    """
    tokens = "SELECT token FROM item"

    def add(self, connection, token, random):
        number = connection.execute("INSERT INTO item(token, price) VALUES(?, ?)", (token, random.random() * 4)).lastrowid
        connection.execute("INSERT INTO tag VALUES(?, ?)", (number, f"tag {random.randrange(3)}"))
        connection.execute("INSERT OR REPLACE INTO place VALUES(?, ?, ?)", (number, 0, random.randrange(1, 100)))

    def change(self, connection, random):
        connection.execute("UPDATE item SET price = price + 1 WHERE id % 3 = ?", (random.randrange(3),))


ALL = {kind.name: kind for kind in (Schema, Anki, Calibre, CoreData, Room, GnuCash, Firefox, Vectors, Modern)}


def connect(schema, path, timeout=1.0):
    """Opens a database as the schema's app does."""
    connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    schema.prepare(connection)
    return connection

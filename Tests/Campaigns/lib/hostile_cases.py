"""The named cases of `hostile`: each makes one thing wrong in a store that was right."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import zlib
from dataclasses import dataclass

from companion import header, pages, tree_hash, version_file, version_id, version_named
from journal import MAGIC, journal

FUTURE = "9999-12-31T23:59:59.9999999Z"
OTHER = "0123456789ab"
CASES = []


@dataclass
class Case:
    name: str
    make: object
    keeps: bool = True  # The rows are still in the live file at the end.
    statuses: tuple = ()  # With what every verb has to end; empty: any of the documented ones.
    says: str = ""  # What `doctor` has to say.


def case(name, **facts):
    def add(make):
        CASES.append(Case(name, make, **facts))
        return make
    return add


def cases(names, **facts):
    """A case for each of several values."""
    def add(make):
        for name, value in names.items():
            CASES.append(Case(name, lambda store, value=value: make(store, value), **facts))
        return make
    return add


class Store:
    """The store of a case, and how to put things into it."""

    def __init__(self, folder):
        self.folder = folder
        self.training = folder / "Training"
        self.database = self.training / "openwo.sqlite"
        self.companion = self.training / "openwo.sqlite.openwo"
        self.versions = self.companion / "versions"
        self.outside = folder / "outside"
        self.content = self.database.read_bytes()

    @property
    def heads(self):
        """The ids of this device's versions, the oldest first."""
        return [version_named(name) for name in sorted(os.listdir(self.versions))]

    @property
    def device(self):
        return json.loads((self.folder / "state" / "device.json").read_text())["id"]

    def put(self, name, data):
        path = self.training / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def version(self, body=None, payload="full", base=None, name=None, **fields):
        """A version file by another device, on top of the newest."""
        body = self.content if body is None else body
        fields.setdefault("parents", self.heads[-1:])
        made, data = version_file(header(fields.pop("content_of", self.content), **fields), payload, body, base)
        return self.put(f"openwo.sqlite.openwo/versions/{name or made}", data)

    def edited(self, sql="UPDATE t SET v = 'edited' WHERE id = 9"):
        """The live file's content after an edit that is nowhere else."""
        path = self.folder / "state" / "edited.sqlite"
        path.write_bytes(self.content)
        with sqlite3.connect(path) as db:
            db.executescript(sql)
        db.close()
        content = path.read_bytes()
        path.unlink()
        return content

    def lock(self, file=OTHER, **more):
        fields = dict(
            format=1, id="7f3a19c2", device=OTHER, deviceName="desk", user="mari", host="desk", program="openwo lock",
            since="2026-11-21T07:43:08.123Z", state="held")
        fields.update(more)
        fields = {key: value for key, value in fields.items() if value is not None}
        return self.put(f"openwo.sqlite.openwo/locks/{file}.json", json.dumps(fields))

    def device_file(self, file=OTHER, **more):
        fields = dict(
            format=1, id=OTHER, name="desk", lastSeen="2026-11-21T07:43:08.123Z", acknowledged=[], revoked=[])
        fields.update(more)
        return self.put(f"openwo.sqlite.openwo/devices/{file}.json", json.dumps(fields))

    def manifest(self, **more):
        path = self.companion / "store.json"
        path.write_text(json.dumps(dict(json.loads(path.read_text()), **more)))

    def put_odd(self, path, kind):
        """Something that is no regular file, in place of one."""
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
            (path / "inside").write_text("precious\n")
        elif kind == "link":
            path.symlink_to(self.outside / "precious")
        elif kind == "dangling":
            path.symlink_to(self.outside / "nowhere")
        elif kind == "loop":
            path.symlink_to(path)
        elif kind == "zeros":
            path.symlink_to("/dev/zero")
        elif kind == "socket":
            here = os.getcwd()
            os.chdir(path.parent)
            socket.socket(socket.AF_UNIX).bind(path.name)
            os.chdir(here)
        elif kind == "nothing":
            path.write_bytes(b"")
        elif kind == "sparse":
            path.touch()
            os.truncate(path, 100 << 30)
        else:
            raise ValueError(kind)


KINDS = ("fifo", "folder", "link", "dangling", "loop", "zeros", "socket", "nothing", "sparse")
NAMES = dict(
    fifo="a fifo", folder="a folder", link="a link to a file outside", dangling="a link to nowhere", loop="a link to itself",
    zeros="a link to /dev/zero", socket="a socket", nothing="empty", sparse="100 GB of nothing")


def kinds(what, *but):
    return {f"{what} is {NAMES[kind]}": kind for kind in KINDS if kind not in but}


# Odd things in place of files.


@cases(kinds("the journal"))
def _(store, kind):
    store.put_odd(store.training / "openwo.sqlite-journal", kind)


@cases(kinds("the -wal file"))
def _(store, kind):
    store.put_odd(store.training / "openwo.sqlite-wal", kind)


@cases(kinds("store.json", "zeros"), statuses=(10, 20, 22, 1))
def _(store, kind):
    store.put_odd(store.companion / "store.json", kind)


@cases(kinds("another device's lock file"))
def _(store, kind):
    store.put_odd(store.companion / "locks" / f"{OTHER}.json", kind)


@cases(kinds("another device's file"))
def _(store, kind):
    store.put_odd(store.companion / "devices" / f"{OTHER}.json", kind)


@cases(kinds("this device's own file"))
def _(store, kind):
    store.put_odd(store.companion / "devices" / f"{store.device}.json", kind)


@cases(kinds("a version file"))
def _(store, kind):
    path = store.version(store.edited(), content_of=store.edited())
    store.put_odd(path, kind)


@cases(kinds("the folder of versions", "sparse", "zeros", "nothing"))
def _(store, kind):
    store.put_odd(store.versions, kind)


@cases(kinds("the folder of locks", "sparse", "zeros"))
def _(store, kind):
    store.put_odd(store.companion / "locks", kind)


@cases(kinds("a conflicted copy"))
def _(store, kind):
    store.put_odd(store.training / "openwo.sync-conflict-20261121-074308-ABCDEFG.sqlite", kind)


@cases(kinds("a staging file"))
def _(store, kind):
    path = store.training / ".~openwo-0123456789abcdef.tmp"
    store.put_odd(path, kind)
    if kind in ("nothing", "sparse"):
        os.utime(path, (1, 1))


@cases(kinds("the database", "loop", "dangling", "zeros", "socket"), keeps=False)
def _(store, kind):
    store.put_odd(store.database, kind)


# The live file.


@case("the database is random bytes")
def _(store):
    store.put("openwo.sqlite", os.urandom(len(store.content)))


@case("the database is its magic only")
def _(store):
    store.put("openwo.sqlite", b"SQLite format 3\0")


@case("the database is cut inside a page")
def _(store):
    store.put("openwo.sqlite", store.content[:len(store.content) // 2 + 100])


@case("the database has a page of zeros behind it")
def _(store):
    store.put("openwo.sqlite", store.content + bytes(4096))


@case("the database says that it has 100 GB, and nearly has")
def _(store):
    count = 100 << 18
    data = store.content[:28] + count.to_bytes(4, "big") + store.content[32:]
    os.truncate(store.put("openwo.sqlite", data), count * 4096)


@case("the database claims a page size of 3")
def _(store):
    store.put("openwo.sqlite", store.content[:16] + b"\0\x03" + store.content[18:])


@case("the database's page of the schema is full of pointers to itself")
def _(store):
    page = store.content[:100] + bytes([5, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 1]) + b"\0\x70" * 1992
    store.put("openwo.sqlite", page + store.content[4096:])


@case("a view of the database never ends")
def _(store):
    store.put("openwo.sqlite", store.edited(
        "CREATE VIEW w AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i FROM r"))


@case("a trigger of the database deletes all rows")
def _(store):
    store.put("openwo.sqlite", store.edited("CREATE TRIGGER evil AFTER UPDATE ON t BEGIN DELETE FROM t; END"))


@case("the database needs a collation that nobody has", keeps=False)
def _(store):
    store.put("openwo.sqlite", store.edited(
        """CREATE TABLE c(a TEXT); INSERT INTO c VALUES('x'), ('y'); CREATE INDEX ci ON c(a COLLATE nocase);
        PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'nocase', 'klingon') WHERE name = 'ci'"""))


# It takes milliseconds for each row, and is four times `a`: so the rows are made with that.
COSTLY = "length(replace(hex(zeroblob(a)), '0', 'ab'))"


def costly(schema, count):
    """SQL that makes so many rows which take long to check."""
    dear = COSTLY.replace("'", "''")
    return f"""{schema.format("a * 4")}; WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < {count})
        INSERT INTO g SELECT 400000 + i FROM r;
        PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'a * 4', '{dear}')"""


@cases({
    "an index on a costly expression is in the database": "CREATE TABLE g(a); CREATE INDEX gi ON g({})",
    "a costly constraint is in the database": "CREATE TABLE g(a CHECK ({} > 0))",
})
def _(store, schema):
    store.put("openwo.sqlite", store.edited(costly(schema, 400)))


# Journals.


@case("a journal names a file outside as its super-journal", says="")
def _(store):
    store.put("openwo.sqlite-journal", journal(
        page_count=len(store.content) // 4096, super_journal=os.fsencode(store.outside / "precious")))


@case("a journal cuts the database to one page")
def _(store):
    store.put("openwo.sqlite-journal", journal(page_count=1))


@case("a journal grows the database to 275 GB")
def _(store):
    store.put("openwo.sqlite-journal", journal(page_count=0x3FFFFFF))


@case("a journal grows a database that nobody knows to 275 GB")
def _(store):
    store.put("openwo.sqlite", store.edited())
    store.put("openwo.sqlite-journal", journal(page_count=0x3FFFFFF))


@case("a journal grows a torn database to 275 GB")
def _(store):
    store.put("openwo.sqlite", store.content[:8192] + bytes(4096) + store.content[12288:])
    store.put("openwo.sqlite-journal", journal(page_count=0x3FFFFFF))


@case("a journal puts other rows in")
def _(store):
    page = bytearray(store.content[4096:8192])
    page[-20:] = b"x" * 20
    store.put("openwo.sqlite-journal", journal([(2, bytes(page))], page_count=len(store.content) // 4096))


@case("a journal has a sector of 4 GB")
def _(store):
    store.put("openwo.sqlite-journal", journal(sector=0xFFFFFFFF))


@case("a journal has four billion records")
def _(store):
    store.put("openwo.sqlite-journal", journal(count=0xFFFFFFFE) + os.urandom(50_000))


@case("a journal is 100 MB of random bytes behind a good header")
def _(store):
    store.put("openwo.sqlite-journal", journal(count=0xFFFFFFFF, page_count=3) + os.urandom(1 << 20) * 100)


@case("a journal begins well and goes on for 100 GB")
def _(store):
    os.truncate(store.put("openwo.sqlite-journal", journal(count=0xFFFFFFFF, page_count=3)), 100 << 30)


@case("a journal is its magic only")
def _(store):
    store.put("openwo.sqlite-journal", MAGIC)


@case("a write-ahead log of another database lies beside it")
def _(store):
    other = store.folder / "state" / "wal.sqlite"
    db = sqlite3.connect(other)
    db.executescript("PRAGMA journal_mode = WAL; CREATE TABLE x(a); INSERT INTO x VALUES(1)")
    shutil.copy(f"{other}-wal", store.training / "openwo.sqlite-wal")
    shutil.copy(f"{other}-shm", store.training / "openwo.sqlite-shm")
    db.close()


@case("the database is in WAL mode beside a log of random bytes")
def _(store):
    store.put("openwo.sqlite", store.edited("PRAGMA journal_mode = WAL"))
    store.put("openwo.sqlite-wal", os.urandom(100_000))
    store.put("openwo.sqlite-shm", os.urandom(32768))


@cases({
    "the index of the log has another name outside": "-shm",
    "the log has another name outside": "-wal",
})
def _(store, ending):
    store.put("openwo.sqlite", store.edited("PRAGMA journal_mode = WAL"))
    other = store.outside / "elsewhere"
    other.write_bytes(b"p" * 80_000)
    os.link(other, store.training / f"openwo.sqlite{ending}")


@case("a journal that is over has another name outside")
def _(store):
    other = store.outside / "elsewhere"
    other.write_bytes(bytes(80_000))
    os.link(other, store.training / "openwo.sqlite-journal")
    store.put("openwo.sqlite", store.edited())


@case("the database has another name outside", says="has 2 names")
def _(store):
    os.link(store.database, store.folder / "state" / "elsewhere")


# Version files.


@case("a version's header has no end")
def _(store):
    name = store.version().name
    store.put(f"openwo.sqlite.openwo/versions/{name}", b'{"format":1,' + b" " * 50_000_000)


@case("a version says that it has a database of 100 GB")
def _(store):
    store.version(b"x", bytes=100 << 30)


@case("a version says that it has a negative size")
def _(store):
    store.version(bytes=-1)


@case("a version's numbers are out of range")
def _(store):
    store.version(bytes=10**30, userVersion=2**63, pageSize=2**40)


@case("a version's numbers are fractions")
def _(store):
    store.version(bytes=1.5, pageSize=1e999)


@cases({f"a version's page size is {size}": size for size in (0, 1, 511, 3000, 131072)})
def _(store, size):
    store.version(pageSize=size)


@case("a version's content is not what its hash says")
def _(store):
    store.version(bytes(len(store.content)))


@case("a version's id is another one's")
def _(store):
    path = store.version()
    path.rename(path.with_name(path.name.replace(path.name.rsplit("-", 1)[1].split(".")[0], store.heads[0])))


@case("a version is its own parent")
def _(store):
    fields = header(store.content, parents=["0" * 64])
    identity = version_id(fields)
    fields["parents"] = [identity]
    name, data = version_file(fields, "full", store.content)
    store.put(f"openwo.sqlite.openwo/versions/{name}", data)


@case("a version names a million parents")
def _(store):
    store.version(parents=[f"{number:064x}" for number in range(1_000_000)])


@case("a version names 1,024 parents that nobody has")
def _(store):
    store.version(store.edited(), content_of=store.edited(), parents=[f"{number:064x}" for number in range(1024)])


@case("a thousand versions name nearly a thousand parents each", keeps=False)
def _(store):
    known = store.heads[-1:]
    for number in range(1000):
        fields = header(store.content, parents=known[-900:], at=f"2026-11-21T07:43:08.{number:03d}0000Z")
        name, data = version_file(fields, "same", b"", tree_hash(store.content))
        store.put(f"openwo.sqlite.openwo/versions/{name}", data)
        known.append(version_named(name))


@case("two thousand heads at once", keeps=False)
def _(store):
    parents = store.heads[-1:]
    for number in range(2000):
        store.version(
            b"", "same", tree_hash(store.content), parents=parents,
            at=f"2026-11-21T07:43:08.{number % 1000:03d}{number:04d}Z")


def chain(store, count, **more):
    """Versions of what is live, each made from the one before."""
    parent = store.heads[-1]
    for number in range(count):
        fields = header(store.content, [parent], at=f"2026-11-21T07:4{number // 1000}:08.{number % 1000:03d}0000Z", **more)
        name, data = version_file(fields, "same", b"", tree_hash(store.content))
        store.put(f"openwo.sqlite.openwo/versions/{name}", data)
        parent = version_named(name)


@case("a chain of three thousand versions", keeps=False)
def _(store):
    chain(store, 3000)


@case("thirty thousand files that are no versions")
def _(store):
    for number in range(30_000):
        (store.versions / f"junk {number}").touch()


@case("a version is of the year 9999", keeps=False)
def _(store):
    store.version(store.edited(), content_of=store.edited(), at=FUTURE)


@case("a version is of a time that there is not")
def _(store):
    store.version(at="2026-13-41T25:61:61.0000000Z")


@case("a version is of the year 0", keeps=False)
def _(store):
    store.version(store.edited(), content_of=store.edited(), at="0000-01-01T00:00:00.0000000Z")


@case("a version is of a future format")
def _(store):
    store.version(format=2)


@case("a version's format is a word")
def _(store):
    store.version(format="one")


@case("a version's header nests a hundred thousand deep")
def _(store):
    path = store.version()
    path.write_bytes(b'{"format":1,"x":' + b"[" * 30_000 + b"]" * 30_000 + b"}\n")


@case("1,500 versions with long lists in fields that nobody knows")
def _(store):
    chain(store, 1500, zeta=[1] * 32_000)


@case("1,500 versions with as much in fields that nobody knows as may be", keeps=False)
def _(store):
    chain(store, 1500, zeta=[1] * 3_900)


@case("a version's header has a name twice")
def _(store):
    path = store.version()
    path.write_bytes(b'{"format":1,"format":1}\n')


@case("a version's header is no UTF-8")
def _(store):
    path = store.version()
    path.write_bytes(path.read_bytes().replace(b"desk", b"d\xff\xfek"))


@case("a version's device is a path")
def _(store):
    name, data = version_file(header(store.content, device="../../x"), "full", store.content)
    store.put("openwo.sqlite.openwo/versions/" + name.replace("/", "_"), data)


@case("a version's device name and note are made for a terminal", keeps=False)
def _(store):
    store.version(
        store.edited(), content_of=store.edited(), note="\x1b[2J\x1b]0;owned\x07\u202egnp.exe\r\n\x00../../etc",
        deviceName="\x1b[31mdesk\u2066\x9b")


@case("a version's note is too long")
def _(store):
    store.version(note="n" * 5000)


@case("a version's reason is a sentence")
def _(store):
    store.version(reason="because; rm -rf /")


@case("a version has fields that nobody knows", keeps=False)
def _(store):
    store.version(store.edited(), content_of=store.edited(), zzz=[{"a": None}] * 100)


@case("a version's payload is of an unknown kind")
def _(store):
    store.version(payload="zip")


def delta(store, units, old=None, new=None, **more):
    content = store.edited()
    payload = pages(
        units, old=len(store.content) if old is None else old, new=len(content) if new is None else new, **more)
    store.version(payload, "pages", tree_hash(store.content), content_of=content)


@case("pages unpack to a gigabyte")
def _(store):
    delta(store, [([1], zlib.compress(bytes(1 << 26), 9)[:8000])])


@case("pages unpack to more than their page")
def _(store):
    delta(store, [([1], zlib.compress(bytes(8000)))])


@case("pages are no zlib stream")
def _(store):
    delta(store, [([1], b"not packed")])


@case("pages copy from before the beginning")
def _(store):
    delta(store, [([1], zlib.compress(b"\0\x80\x20\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))])


@case("pages are listed by the billion")
def _(store):
    delta(store, [([1] * 32, b"x") for _ in range(50_000)])


@case("pages make a database of 2^47 bytes")
def _(store):
    delta(store, [([1], zlib.compress(b"\0"))], new=1 << 47)


@case("pages have a number that never ends")
def _(store):
    content = store.edited()
    store.version(
        pages([], old=len(store.content), new=len(content), end=b"\xff" * 4000), "pages", tree_hash(store.content),
        content_of=content)


@case("pages are of another page size than the version")
def _(store):
    delta(store, [([1], zlib.compress(b"\0"))], page_size=65536)


@case("pages of two versions rest on each other")
def _(store):
    one, two = store.edited(), store.edited("UPDATE t SET v = 'two' WHERE id = 9")
    for content, base in ((one, two), (two, one)):
        payload = pages([([1], zlib.compress(b"\0"))], old=len(base), new=len(content))
        store.version(payload, "pages", tree_hash(base), content_of=content)


@case("pages rest on each other a thousand deep", keeps=False)
def _(store):
    base = tree_hash(store.content)
    for number in range(1000):
        content = store.content[:1000] + number.to_bytes(4, "big") + store.content[1004:]
        steps = zlib.compress(b"\0" + b"\xe8\x07" + b"\0" + b"\x04" + number.to_bytes(4, "big") + b"\x94\x18\0")
        payload = pages([([1], steps)], old=len(content), new=len(content))
        store.version(
            payload, "pages", base, content_of=content, at=f"2026-11-21T07:43:08.{number:03d}0000Z")
        base = tree_hash(content)


@case("a list of pruned versions has 16 MB of nothing")
def _(store):
    name = f"20261121T074308.1230000Z-prune-{'0' * 64}.pruned"
    store.put(f"openwo.sqlite.openwo/versions/{name}", b"\n" * (16 << 20))


@cases({
    "a version's name goes up a folder": b"..%2f..%2foutside",
    "a version's name is no UTF-8": b"\xff\xfe.full",
    "a version's name has a line end": b"a\nb\x1b[2J.full",
    "a version's name is 255 bytes long": b"n" * 250 + b".full",
    "a version's name is composed otherwise": "20261121é́K.full".encode(),
})
def _(store, name):
    with open(os.path.join(os.fsencode(store.versions), name), "wb") as file:
        file.write(b"{}\n")


# Lock files and device files.


@case("a lock file nests ten million deep")
def _(store):
    store.put(f"openwo.sqlite.openwo/locks/{OTHER}.json", b"[" * 10_000_000)


@case("a lock file nests thirty thousand deep")
def _(store):
    store.put(f"openwo.sqlite.openwo/locks/{OTHER}.json", b'{"a":' * 10_000 + b"1" + b"}" * 10_000)


@cases({
    "a lock's numbers are out of range": dict(format=10**40),
    "a lock's number is infinite": dict(format=1e999),
    "a lock's time is no time": dict(since="yesterday"),
    "a lock's state is unknown": dict(state="stolen"),
    "a lock's device is another one's": dict(device="ffffffffffff"),
    "a lock's device is a path": dict(device="../../../outside/precious"),
    "a lock's head is no version": dict(head="../.."),
    "a lock's process is number minus one": dict(process=dict(pid=-1, startTime=-1, bootID="", host="")),
})
def _(store, fields):
    store.lock(**fields)


@case("a lock is made for a terminal", says="")
def _(store):
    store.lock(note="\x1b[2J\x1b]0;owned\x07\u202e", user="\x9b31m", host="a\nb\r", program="\x00\x7f")


@case("a lock is of the year 9999")
def _(store):
    store.lock(since="9999-12-31T23:59:59.999Z", until="9999-12-31T23:59:59.999Z")


@case("a lock ended in the year 0")
def _(store):
    store.lock(since="0000-01-01T00:00:00.000Z", until="0000-01-01T00:00:00.001Z")


@case("a lock is of a future format")
def _(store):
    store.lock(format=99)


@case("a lock's file is no UTF-8")
def _(store):
    store.put(f"openwo.sqlite.openwo/locks/{OTHER}.json", b'{"format":1,"id":"\xff\xfe\x00"}')


@case("a lock's file has a byte order mark")
def _(store):
    path = store.lock()
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


@case("five thousand lock files")
def _(store):
    for number in range(5000):
        store.lock(f"{number:012x}", device=f"{number:012x}", id=f"{number:08x}")


@case("five thousand device files")
def _(store):
    for number in range(5000):
        store.device_file(f"{number:012x}", id=f"{number:012x}")


@cases({
    "a device's name is made for a terminal": dict(name="\x1b[2Jdesk\u202e\x9b"),
    "a device has ended every lock there is": dict(revoked=[f"{number:08x}" for number in range(5000)]),
    "a device was last seen in the year 9999": dict(lastSeen="9999-12-31T23:59:59.999Z", headSince="9999-12-31T23:59:59.999Z"),
    "a device's head is nothing that there is": dict(head="f" * 64),
    "a device's id is a path": dict(id="../../outside/precious"),
    "a device chose a policy of the year 9999": dict(policy=dict(settling="burn", rules={"t": "burn"}, at="9999-12-31T23:59:59.999Z")),
    "a device is of a future format": dict(format=99),
    "a device's lists are objects": dict(acknowledged={}, revoked={}),
})
def _(store, fields):
    store.device_file(**fields)


@case("a device's file is 1 GB long")
def _(store):
    os.truncate(store.device_file(), 1 << 30)


@case("a device has this device's id")
def _(store):
    store.device_file(store.device, id=store.device, name="an impostor")


# What the store is.


@cases({
    "store.json is of a future format": dict(format=2),
    "store.json's format is too large for a number": dict(format=10**30),
    "store.json's format is 0": dict(format=0),
    "store.json's id is a path": dict(store="../../../outside/precious0000000"),
    "store.json's id is empty": dict(store=""),
    "store.json's time is no time": dict(created="never"),
}, statuses=(10, 21, 22))
def _(store, fields):
    store.manifest(**fields)


@case("store.json names another database")
def _(store):
    store.manifest(database="../outside/other.sqlite")


@case("store.json has a policy and rules that nobody knows")
def _(store):
    store.manifest(policy="burn", rules={"t'; DROP TABLE t; --": "burn"})


@case("store.json is no JSON", statuses=(22,))
def _(store):
    store.put("openwo.sqlite.openwo/store.json", b"\x00\x01\x02{]")


@case("store.json nests thirty thousand deep", statuses=(10, 22))
def _(store):
    store.put("openwo.sqlite.openwo/store.json", b"[" * 30_000 + b"]" * 30_000)


@case("store.json is 1 GB long", statuses=(10, 22, 1))
def _(store):
    os.truncate(store.companion / "store.json", 1 << 30)


@cases({f"the {name} is a link to a folder outside": part for name, part in {
    "companion": "", "folder of devices": "devices", "folder of locks": "locks", "folder of versions": "versions"}.items()},
    statuses=(22,), says="it is a link; nothing was changed")
def _(store, part):
    folder, elsewhere = store.companion / part, store.outside / "elsewhere"
    folder.rename(elsewhere) if folder.exists() else elsewhere.mkdir()
    folder.symlink_to(elsewhere)
    for name in (f"{store.device}.json", ".~openwo-0123456789abcdef.tmp"):
        (elsewhere / name).write_text("precious\n")
        os.utime(elsewhere / name, (1, 1))


# Conflicted copies.


COPY = "openwo.sync-conflict-20261121-074308-ABCDEFG.sqlite"


@case("a conflicted copy is another program's database")
def _(store):
    db = sqlite3.connect(store.training / COPY)
    db.executescript("CREATE TABLE secrets(a); INSERT INTO secrets VALUES('theirs')")
    db.close()


@case("a conflicted copy is torn")
def _(store):
    store.put(COPY, store.edited()[:-2000])


@case("a conflicted copy needs ages to check")
def _(store):
    store.put(COPY, store.edited(costly("CREATE TABLE g(a); CREATE INDEX gi ON g({})", 200)))


@case("a conflicted copy has a journal that deletes files")
def _(store):
    store.put(COPY, store.edited())
    store.put(f"{COPY}-journal", journal(page_count=1, super_journal=os.fsencode(store.outside / "precious")))


@case("a conflicted copy is in the middle of a transaction", says="a transaction in it is not finished")
def _(store):
    path = store.training / COPY
    made = store.folder / "state" / "made.sqlite"
    made.write_bytes(store.content)
    db = sqlite3.connect(made, isolation_level=None)
    for sql in ("PRAGMA cache_size = 3", "PRAGMA cache_spill = 3", "BEGIN", "UPDATE t SET v = 'half' || v"):
        db.execute(sql)
    shutil.copy(made, path)
    shutil.copy(f"{made}-journal", f"{path}-journal")
    db.close()


@case("a conflicted copy has rows in its log only", says="some of its rows are in the log beside it only")
def _(store):
    path = store.training / COPY
    made = store.folder / "state" / "made.sqlite"
    made.write_bytes(store.content)
    db = sqlite3.connect(made, isolation_level=None)
    db.executescript("PRAGMA journal_mode = WAL; INSERT INTO t VALUES(1000, 'log')")
    shutil.copy(made, path)
    shutil.copy(f"{made}-wal", f"{path}-wal")
    db.close()


@case("a conflicted copy is in WAL mode")
def _(store):
    store.put(COPY, store.edited("PRAGMA journal_mode = WAL"))


@case("a thousand conflicted copies", keeps=False)
def _(store):
    for number in range(1000):
        store.put(f"openwo.sync-conflict-20261121-{number:06d}-ABCDEFG.sqlite", b"no database " * 100)


@case("a hundred conflicted copies, each with an edit of its own")
def _(store):
    for number in range(100):
        edit = f"UPDATE t SET v = 'edit {number}' WHERE id = {100 + number}"
        store.put(f"openwo.sync-conflict-20261121-{number:06d}-ABCDEFG.sqlite", store.edited(edit))


@case("the names beside the database are made for a terminal")
def _(store):
    for name in (b"openwo (\x1b[2J conflicted copy 2026-11-21).sqlite", b"openwo (\xff's conflicted copy 2026-11-21).sqlite"):
        with open(os.path.join(os.fsencode(store.training), name), "wb") as file:
            file.write(store.edited()[:-3000])

"""A long history, and a large database.

With builds for debugging a listing of versions is slow: they get few of them unless PAGE_VERSIONS and PAGE_MEGABYTES say more."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import time

from selenium.webdriver.common.by import By

from surroundings import until

COUNT = int(os.environ.get("PAGE_VERSIONS", "400"))
MEGABYTES = int(os.environ.get("PAGE_MEGABYTES", "40"))


def canonical(header):
    return json.dumps(header, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def fill(database, count):
    """Puts so many versions after the newest one, as docs/FORMAT.md has them: each changes the text `version 000000`."""
    folder = pathlib.Path(f"{database}.openwo/versions")
    header = max((json.loads(p.read_bytes().partition(b"\n")[0]) for p in folder.iterdir()), key=lambda h: h["at"])
    content = pathlib.Path(database).read_bytes()
    mark = b"version 000000"
    ticks = int(header["at"][20:27])
    second = header["at"][:20]
    parent = header["id"]
    for number in range(1, count + 1):
        fresh = content.replace(mark, b"version %06d" % number)
        blocks = (fresh[i:i + 65536] for i in range(0, len(fresh), 65536))
        ticks += 1
        if ticks == 10_000_000:
            # The next second.
            moment = time.strptime(second, "%Y-%m-%dT%H:%M:%S.")
            second, ticks = time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(__import__("calendar").timegm(moment) + 1)), 0
        fields = {key: value for key, value in header.items() if key not in ("id", "payload", "base", "manifest", "note", "delivered")}
        fields |= {"parents": [parent], "device": "0123456789ab", "deviceName": "phone", "reason": "write", "at": f"{second}{ticks:07d}Z",
                   "content": hashlib.sha256(b"".join(hashlib.sha256(b).digest() for b in blocks)).hexdigest()}
        parent = hashlib.sha256(canonical(fields)).hexdigest()
        name = f"{re.sub('[-:]', '', fields['at'])}-{fields['device']}-{parent}.full"
        (folder / name).write_bytes(canonical(fields | {"id": parent, "payload": "full"}) + b"\n" + fresh)


def seconds(world, path, limit, what=""):
    """How long the server takes for a page, the quickest of three; a busy machine has more patience (PAGE_PATIENCE)."""
    def once():
        start = time.monotonic()
        status, body, _ = world.request(path)
        assert status == 200 and what in body.decode(), (path, status)
        return time.monotonic() - start
    took = min(once() for _ in range(3))
    print(f"   {path}: {took:.2f} s")
    assert took < limit * float(os.environ.get("PAGE_PATIENCE", "1")), f"{path} took {took:.1f} s"


def check_a_long_history(world):
    small = world.folder / "small" / "diary.sqlite"
    small.parent.mkdir()
    world.database = small
    world.sql("CREATE TABLE exercise(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO exercise VALUES(1,'version 000000')")
    world.openwo("init")
    fill(small, COUNT)
    world.openwo("sync")
    assert world.sql("SELECT name FROM exercise") == f"version {COUNT:06d}"
    world.open()
    for path in ["/file/1/history", f"/file/1/history?page={COUNT // 80}"]:
        seconds(world, path, 1)
    for path in ["/file/1", "/file/1/conflicts"]:
        seconds(world, path, 20)
    world.go("/file/1/history?lang=en")
    world.sees(f"1 / {(COUNT + 1 + 39) // 40}")
    until(lambda: not world.browser.find_elements(By.CSS_SELECTOR, "[data-fetch]"), what="all changes are counted")
    assert len(world.browser.find_elements(By.CSS_SELECTOR, ".timeline > li")) == 40
    world.press("Last")
    world.sees("Beginning")


def check_a_large_database(world):
    world.database = world.folder / "large" / "photos.sqlite"
    world.database.parent.mkdir()
    world.sql("CREATE TABLE photo(id INTEGER PRIMARY KEY, name TEXT, image BLOB);"
              f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MEGABYTES})"
              " INSERT INTO photo SELECT i, 'photo ' || i, randomblob(1048000) FROM n")
    world.openwo("init")
    world.edit("one name", "UPDATE photo SET name='the lake' WHERE id=7")
    world.edit("one less", "DELETE FROM photo WHERE id=9")
    world.open()
    for path, what in [("/file/1", "photos.sqlite"), ("/file/1/history", "one less"), ("/file/1/find?kind=deleted&q=photo+9", "photo 9"),
                       ("/file/1/find?q=lake", "the lake"), ("/file/1/conflicts", "")]:
        seconds(world, path, 5, what)
    restore = re.search(r"restore\?version=[0-9a-f]+&amp;table=photo&amp;key=9", world.request("/file/1/find?kind=deleted&q=photo+9")[1].decode())
    seconds(world, "/file/1/" + restore[0].replace("&amp;", "&"), 10, "photo 9")
    _, _, answer = world.request("/file/1/history")
    peak = pathlib.Path(f"/proc/{world.server.pid}/status").read_text().split("VmHWM:")[1].split()[0]
    print(f"   at most {int(peak) // 1024} MB in memory")
    assert int(peak) // 1024 < MEGABYTES // 2 + 100, "the file is not loaded whole"

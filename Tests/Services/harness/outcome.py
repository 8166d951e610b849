"""What is left when a story has come to rest, read from the folders alone."""

import dataclasses
import hashlib
import json
import pathlib
import re
import shutil
import sqlite3

from device import DATABASE, Device

COMPANION = f"{DATABASE}.openwo"

# A row of the table in a page: its name, and right after it the beginning of its text.
ENTRY = re.compile(rb"((?:hand-|locked-edit-)?[AB][0-9]*-[0-9]+)(?=x|by hand|under a lock)")


@dataclasses.dataclass
class Side:
    """One device's folder at the end."""

    name: str
    files: dict  # relative path: SHA-256
    integrity: str  # of the live file
    rows: set  # of the live file
    heads: list  # contents of the versions that no other names as a parent
    versions: dict  # id: SHA-256 of its database
    kept: set  # rows of the live file and of all versions
    lasting: set  # rows of those that pruning leaves, however little is to be kept


def inventory(folder, ignored=lambda path: False):
    """Every file below a folder by its SHA-256, without what belongs to the service."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        try:
            if not ignored(name) and path.is_file():
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        except FileNotFoundError:
            found[name] = "gone"
    return found


def read_database(path):
    """(result of the integrity check, rows) of a database that nobody touches now; changes nothing."""
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        try:
            integrity = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            return integrity, {row[0] for row in connection.execute("SELECT id FROM entry")}
        finally:
            connection.close()
    except (sqlite3.Error, OSError) as problem:
        return str(problem), set()


def salvage(path):
    """The rows whose bytes are anywhere in a damaged database: more than any tool could recover."""
    return {name.decode() for name in ENTRY.findall(path.read_bytes())}


def listed(versions):
    """The headers of all versions in the folder, by id."""
    headers = {}
    for path in versions.glob("[!.]*"):
        if path.suffix == ".pruned":
            continue
        with open(path, "rb") as file:
            header = json.loads(file.readline())
        headers[header["id"]] = header
    return headers


def pruned(versions):
    """The headers of the versions that were removed since, by id."""
    lists = (path.read_bytes().splitlines() for path in versions.glob("[!.]*.pruned"))
    return {header["id"]: header for lines in lists for header in map(json.loads, lines)}


def heads(headers, gone):
    """The contents of the versions without children, but for late twins: a content from before another such version is at odds with nothing."""
    known = gone | headers
    parents = {parent for header in known.values() for parent in header["parents"]}
    ends = [id for id in headers if id not in parents]

    def before(id):
        seen, rest = set(), list(known[id]["parents"])
        while rest:
            parent = rest.pop()
            if parent in known and parent not in seen:
                seen.add(parent)
                rest += known[parent]["parents"]
        return {known[one]["content"] for one in seen}

    contents = {id: headers[id]["content"] for id in ends}
    outdated = {id: before(id) for id in ends}
    return [
        content for id, content in contents.items()
        if not any(content in outdated[other] for other in ends if contents[other] != content)]


def look(name, folder, ignored):
    """Reads a side but for what its versions hold."""
    integrity, rows = read_database(folder / DATABASE)
    versions = folder / COMPANION / "versions"
    ends = heads(listed(versions), pruned(versions))
    return Side(name, inventory(folder, ignored), integrity, rows, ends, {}, set(rows), set(rows))


def collect(name, folder, scratch, ignored, twin=None):
    """Reads a side. Versions are put together by a device that is new and has nothing but a copy of the folder.

    A side with the same files as its `twin` has the same versions: they are not read again.
    """
    side = look(name, folder, ignored)
    if twin and side.files == twin.files:
        return dataclasses.replace(
            side, versions=twin.versions, kept=twin.kept, lasting=twin.lasting)
    copy, exported = scratch / f"copy-{name}", scratch / f"exported-{name}"
    for old in (copy, exported):
        shutil.rmtree(old, ignore_errors=True)
    exported.mkdir(parents=True)
    listed_ids = listed(folder / COMPANION / "versions").keys()
    reader = Device(scratch, f"reader-{name}", 0)
    shutil.rmtree(reader.state, ignore_errors=True)
    shutil.copytree(folder, copy)
    reader.database = copy / DATABASE
    try:
        for version, path in reader.versions(exported):
            if version not in listed_ids:
                continue  # the reader's own: it captures what it finds
            integrity, rows = read_database(path)
            side.versions[version] = hashlib.sha256(path.read_bytes()).hexdigest()
            if integrity != "ok":
                side.integrity = f"version {version}: {integrity}"
            side.kept |= rows
        reader.run("prune")
        for _, path in reader.versions(exported):
            side.lasting |= read_database(path)[1]
    except RuntimeError as problem:
        side.integrity += f"; and a new device cannot read it: {problem}"
    return side

#!/usr/bin/env python3
"""Keeps readings of meters in a database that all your devices share.

    readings.py add METER VALUE [NOTE]      writes a reading down
    readings.py list [METER]                shows them
    readings.py import FILE.csv             takes over METER,VALUE[,NOTE] lines, all or none, under a lock
    readings.py follow                      shows them again whenever they change, on any device

READINGS names the database (Readings/openwo.sqlite), and READINGS_GUARD the loadable extension, if you use it.
"""

import csv
import os
import sqlite3
import sys
from datetime import datetime, timezone

from openwo import Store, StoreError

SCHEMA = """
CREATE TABLE reading(
  id TEXT PRIMARY KEY, meter TEXT NOT NULL, value REAL NOT NULL, note TEXT, at TEXT NOT NULL);
"""


def number(text):
    return float(text.replace(",", "."))


def insert(db, meter, value, note):
    at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    # A random id: two devices that write at once never choose the same one.
    db.execute("INSERT INTO reading VALUES (?, ?, ?, ?, ?)", (os.urandom(16).hex(), meter, value, note, at))


def show(store, meter=None):
    rows = store.read(lambda db: db.execute(
        "SELECT at, meter, value, coalesce(note, '') FROM reading WHERE ?1 IS NULL OR meter = ?1 ORDER BY at, id", (meter,)).fetchall())
    for at, name, value, note in rows:
        local = datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
        print(f"{local}  {name:<12} {value:>10g}  {note}".rstrip(), flush=True)
    print(f"{len(rows)} readings", flush=True)


def import_file(store, path):
    with open(path, newline="") as file:
        lines = [(row[0], number(row[1]), row[2] if len(row) > 2 else None) for row in csv.reader(file) if row]
    with store.locked(f"importing {os.path.basename(path)}") as db:
        db.execute("BEGIN")
        for meter, value, note in lines:
            insert(db, meter, value, note)
        db.execute("COMMIT")
    print(f"{len(lines)} readings imported")


def main(words):
    store = Store(os.environ.get("READINGS", "Readings/openwo.sqlite"), os.environ.get("READINGS_GUARD"))
    match words:
        case ["add", meter, value, *note]:
            store.prepare(SCHEMA)
            reading = number(value)
            store.write(lambda db: insert(db, meter, reading, " ".join(note) or None))
            print("kept")
        case ["list", *meter] if len(meter) < 2:
            store.prepare(SCHEMA)
            show(store, *meter)
        case ["import", path]:
            store.prepare(SCHEMA)
            import_file(store, path)
        case ["follow"]:
            store.prepare(SCHEMA)
            show(store)
            for event in store.changes():
                if event["event"] not in ("locked", "published", "problem"):
                    print(f"-- {event['event']}")
                    show(store)
        case _:
            print(__doc__.strip(), file=sys.stderr)
            return 64
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except StoreError as error:
        print(f"readings: {error}", file=sys.stderr)
        if error.hint:
            print(f"readings: {error.hint}", file=sys.stderr)
        sys.exit(error.status)
    except (ValueError, OSError, sqlite3.Error) as error:
        print(f"readings: {error}; nothing was written", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)

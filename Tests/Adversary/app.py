"""An app on plain SQLite that writes rows until it is killed, and prints each token once it is committed: app.py SCHEMA DATABASE PREFIX"""

import os
import random
import sqlite3
import sys

sys.dont_write_bytecode = True
import schemas  # noqa: E402

name, path, prefix = sys.argv[1:]
schema, dice, number = schemas.ALL[name](), random.Random(prefix), 0
while True:
    try:
        connection = schemas.connect(schema, path, timeout=5)
        try:
            connection.execute("PRAGMA synchronous = FULL")
            while True:
                number += 1
                token = f"{prefix}-{number}"
                connection.execute("BEGIN IMMEDIATE")
                schema.add(connection, token, dice)
                connection.execute("COMMIT")
                os.write(1, f"{token}\n".encode())
        finally:
            connection.close()
    except sqlite3.OperationalError:
        # Busy, or the file was replaced: open it again, as apps do.
        continue

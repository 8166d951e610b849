"""The control: the same app on plain SQLite, written as carefully as one can without openwo.

It never creates a database, syncs fully, keeps transactions short, checks every result and opens the file again after any error.
"""

import os
import random
import sqlite3
import sys
import threading
import time


def connect(path):
    connection = sqlite3.connect(f"file:{path}?mode=rw", uri=True, isolation_level=None, timeout=5)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_spill = OFF")
    return connection


def say(line):
    os.write(1, (line.replace("\n", " ") + "\n").encode())


def write(connection, row, dice):
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO entry VALUES(?, ?)", (row, "x" * (20 + dice.randrange(600))))
    for _ in range(5):
        connection.execute(
            "UPDATE shared SET who = ?, body = randomblob(400) WHERE id = ?",
            (row, 1 + dice.randrange(200)))
    connection.execute("COMMIT")


def main():
    path, options = sys.argv[2], dict(zip(sys.argv[3::2], sys.argv[4::2]))
    dice, rate, connection = random.Random(int(options["--seed"])), [0.0], None

    def listen():
        for line in sys.stdin:
            rate[0] = float(line.split()[1])
        rate[0] = None

    threading.Thread(target=listen, daemon=True).start()
    number, due = 0, time.monotonic()
    while (speed := rate[0]) is not None:
        if speed > 0 and time.monotonic() >= due:
            number += 1
            row = f"{options['--tag']}-{number}"
            try:
                connection = connection or connect(path)
                write(connection, row, dice)
                say(f"ok {row}")
            except sqlite3.Error as problem:
                say(f"error {row} {problem}")
                if connection:
                    connection.close()
                connection = None
            due = time.monotonic() + (0.2 + 1.6 * dice.random()) / speed
        time.sleep(0.005)


main()

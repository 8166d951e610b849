"""One device: a synced folder, a state folder, and an app that writes."""

import os
import pathlib
import signal
import subprocess
import sys
import time

WRITER = os.environ["OPENWO_WRITER"]
CONTROL = str(pathlib.Path(__file__).with_name("control_writer.py"))
DATABASE = "openwo.sqlite"
ACKNOWLEDGED = ("ok", "setAside")
RESULTS = (*ACKNOWLEDGED, "locked", "error")

SCHEMA = """
CREATE TABLE entry(id TEXT PRIMARY KEY, text TEXT);
CREATE TABLE shared(id INTEGER PRIMARY KEY, who TEXT, body BLOB);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO shared SELECT i, 'nobody', randomblob(400) FROM n;
"""


class Device:
    """An app on openwo; `openwo=False`: the same app on plain SQLite, the control.

    Its clock is so many seconds `ahead`, and as many behind after the next start of the app, and so on.
    """

    def __init__(self, root, name, seed, openwo=True, ahead=0):
        self.name, self.seed, self.openwo, self.ahead = name, seed, openwo, ahead
        self.folder = root / f"folder-{name}"
        self.state = root / f"state-{name}"
        self.ledger = root / f"ledger-{name}"
        self.errors = root / f"errors-{name}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.database = self.folder / DATABASE
        self.process, self.starts, self.edits, self.speed = None, 0, 0, 0
        # When a person of this device had the lock, or tried to get it: (begin, end) in milliseconds since 1970.
        self.lock_scenes = []

    @property
    def environment(self):
        return dict(os.environ, OPENWO_STATE_DIR=str(self.state), OPENWO_DEVICE_NAME=self.name,
                    OPENWO_WRITER_AHEAD=str(self.ahead))

    def run(self, verb, *more):
        """Runs one verb of the test app; returns what it printed."""
        done = subprocess.run(
            [WRITER, verb, str(self.database), *more],
            env=self.environment, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"{self.name}: {verb}: {done.stderr.strip()[:600]}")
        return done.stdout

    def versions(self, place):
        """Yields (id, file) of each listed version; the file is there until the next one is asked for."""
        program = subprocess.Popen(
            [WRITER, "export", str(self.database), "--into", str(place)], env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with program:
            for line in program.stdout:
                path = place / f"{line.split()[0]}.sqlite"
                yield path.stem, path
                path.unlink()
                program.stdin.write("next\n")
                program.stdin.flush()
            problem = program.stderr.read().strip()
        if program.returncode != 0:
            raise RuntimeError(f"{self.name}: export: {problem[:600]}")

    def create(self):
        shell(self.database, SCHEMA)
        if self.openwo:
            self.run("init")

    # The app

    def start(self):
        self.starts += 1
        self.ahead = -self.ahead
        tag = f"{self.name}{self.starts}"
        program = [WRITER, "write"] if self.openwo else [sys.executable, CONTROL, "write"]
        with open(self.ledger, "ab") as ledger, open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(
                [*program, str(self.database), "--tag", tag, "--seed", str(self.seed + self.starts)],
                env=self.environment, stdin=subprocess.PIPE, stdout=ledger, stderr=errors)
        self.rate(self.speed)

    def rate(self, speed):
        self.speed = speed
        try:
            self.process.stdin.write(f"rate {speed}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Ends the app as its user would; returns its exit status."""
        if self.process.poll() is None:
            self.process.stdin.close()
        return self.process.wait(timeout=60)

    # Hands

    def edit_by_hand(self):
        """A person's edit with the sqlite3 shell; its row counts as acknowledged once the shell says so."""
        self.edits += 1
        row = f"hand-{self.name}-{self.edits}"
        sql = (f"PRAGMA busy_timeout=5000; PRAGMA synchronous=FULL; BEGIN IMMEDIATE; "
               f"INSERT INTO entry VALUES('{row}', 'by hand'); "
               f"UPDATE shared SET who = '{row}' WHERE id % 7 = 0; COMMIT;")
        try:
            shell(self.database, sql)
        except RuntimeError as problem:
            return self.note(f"error {row} {problem}")
        return self.note(f"ok {row}")

    def edit_under_lock(self, hold=1.5):
        """`lock`, an edit by hand, `unlock`; the row is acknowledged by the unlock."""
        begin = time.time() * 1000
        try:
            return self.hold_lock(hold)
        finally:
            self.lock_scenes.append((begin, time.time() * 1000))

    def hold_lock(self, hold):
        self.edits += 1
        row = f"locked-edit-{self.name}-{self.edits}"
        if self.openwo:
            try:
                self.run("lock")
            except RuntimeError as problem:
                return self.note(f"error {row} {problem}")
        time.sleep(hold / 2)
        result = "ok"
        try:
            shell(self.database, f"INSERT INTO entry VALUES('{row}', 'under a lock');")
        except RuntimeError as problem:
            result = f"error {row} {problem}"
        time.sleep(hold / 2)
        if self.openwo and self.run("unlock").startswith("discarded"):
            result = "error written over while locked:"
        return self.note(f"{result} {row}")

    def note(self, line):
        with open(self.ledger, "ab") as ledger:
            ledger.write(line.replace("\n", " ").encode() + b"\n")
        return line

    # What it said

    def results(self):
        """(result, row, rest) of every line of the ledger about a row."""
        if not self.ledger.exists():
            return []
        lines = self.ledger.read_text(errors="replace").split("\n")
        words = [line.split(" ", 2) for line in lines]
        return [(*w, "")[:3] for w in words if len(w) >= 2]

    def attempts(self):
        """(result, when it began) of every write that the app tried; None for when, where the app does not say."""
        found, waiting = [], []
        for line in self.ledger.read_text(errors="replace").split("\n") if self.ledger.exists() else []:
            words = line.split(" ", 3)
            if words[0] in RESULTS and len(words) > 1 and words[1].startswith(self.name):
                waiting.append(words[0])
            elif words[0] == "#" and words[2:3] == ["took"] and waiting:
                found.append((waiting.pop(), float(words[1])))
        return found + [(result, None) for result in waiting]

    def acknowledged(self):
        return {row for result, row, _ in self.results() if result in ACKNOWLEDGED}


def shell(database, sql):
    """Runs SQL with the sqlite3 shell, which is never let create a database."""
    done = subprocess.run(
        ["sqlite3", "-bail", str(database)], input=sql, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout

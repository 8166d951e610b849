"""An app's SQLite database in a synced folder, kept by the `openwo` command; Python's standard library only.

    store = Store("Readings/openwo.sqlite")
    store.prepare("CREATE TABLE reading(...)")
    store.write(lambda db: db.execute("INSERT INTO reading ..."))
    rows = store.read(lambda db: db.execute("SELECT ...").fetchall())

Each commit becomes a version before `write` returns, and nothing is written while somebody has locked the database.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import time

LOCKED, BUSY = 11, 12


class StoreError(Exception):
    """What the command said went wrong: `status` is its exit status, `hint` a command that leads on."""

    def __init__(self, status, message, hint):
        super().__init__(message)
        self.status, self.message, self.hint = status, message, hint


class Locked(StoreError):
    """Somebody edits the database by hand; nothing was written. `lock` says who, with `deviceName`, `program` and `note`."""

    def __init__(self, lock):
        note = f": {lock['note']}" if lock["note"] else ""
        super().__init__(
            LOCKED, f"{lock['deviceName']} has locked the database{note}; nothing was written", "try again when it is unlocked")
        self.lock = lock


class NotYet(StoreError):
    """The commit is in the database and is not a version yet; `hint` makes it one. Do not write it again."""

    def __init__(self, error):
        super().__init__(error.status, f"it is written, but not a version yet: {error.message}", error.hint)


class Store:
    """A database with its versions; `guard` is the path of the loadable extension, if there is one."""

    def __init__(self, path, guard=None, command="openwo"):
        self.path = pathlib.Path(path).absolute()
        self.guard, self.command = guard, command
        digest = hashlib.sha256(str(self.path).encode()).hexdigest()[:16]
        self._queue = pathlib.Path(tempfile.gettempdir()) / f"openwo-python-{os.getuid()}-{digest}"
        if guard:
            loader = sqlite3.connect(":memory:")
            if not hasattr(loader, "enable_load_extension"):
                raise StoreError(
                    1, "this Python cannot load extensions of SQLite, so it cannot use the guard",
                    "leave the guard out, or run the app with the Python of your system")
            loader.enable_load_extension(True)
            loader.load_extension(str(guard))
            loader.close()

    def openwo(self, verb, *words):
        """Runs a verb of the command, and gives the JSON that it prints."""
        done = subprocess.run(
            [self.command, verb, str(self.path), *words, "--json"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode == 0:
            return json.loads(done.stdout)
        try:
            error = json.loads(done.stderr.splitlines()[-1])
        except (IndexError, ValueError):
            error = {"message": done.stderr.strip()}
        raise StoreError(done.returncode, error["message"], error.get("next") or error.get("hint"))

    def prepare(self, schema):
        """Makes the database and its store where there is none; otherwise takes over what other devices sent."""
        with self._turn():
            companion = pathlib.Path(f"{self.path}.openwo")
            if companion.exists():
                self._capture()
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                with contextlib.closing(sqlite3.connect(self.path)) as db:
                    db.executescript(schema)
            self.openwo("init", "--policy", "merge")

    def read(self, action):
        """What `action` finds in the database; it is given a connection that is good for this call."""
        with self._connection() as db:
            return action(db)

    def write(self, action, patience=10.0):
        """Runs `action` in one transaction and keeps the commit as a version; waits so many seconds for a lock to end.

        Raises `Locked` if the lock stays, and then nothing is written; `NotYet` if it is written and something keeps it from being a version.
        """
        end, pause = time.monotonic() + patience, 0.1
        while True:
            with self._turn():
                lock = self.lock()
                if lock is None and self._commit(action):
                    try:
                        self._capture("--committed")
                    except StoreError as error:
                        raise NotYet(error) from error
                    return
            if time.monotonic() > end:
                lock = lock or self.lock()
                raise Locked(lock) if lock else StoreError(BUSY, "another program uses the database", "close it, and try again")
            # Whoever edits by hand is disturbed by each look, so there are fewer and fewer.
            time.sleep(pause)
            pause = min(2 * pause, 2)

    def lock(self):
        """The lock that somebody has, or None. Only a folder with lock files is worth the question."""
        locks = pathlib.Path(f"{self.path}.openwo") / "locks"
        if not locks.is_dir() or not any(name.suffix == ".json" for name in locks.iterdir()):
            return None
        return self.openwo("status")["lock"]

    @contextlib.contextmanager
    def locked(self, note, duration="10m"):
        """Keeps everybody else away for a longer piece of work, on all devices that have seen the lock; it is one version in the end."""
        self.openwo("lock", "--note", note, "--for", duration)
        try:
            with contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as db:
                yield db
        except BaseException:
            self.openwo("unlock", "--discard")
            raise
        self.openwo("unlock")

    def changes(self):
        """Yields an event each time something happens to the database, on this device or another one; it ends with `close()`."""
        process = subprocess.Popen(
            [self.command, "watch", str(self.path), "--json"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        try:
            for line in process.stdout:
                yield json.loads(line)
        finally:
            process.terminate()
            process.wait()

    @contextlib.contextmanager
    def _connection(self):
        # For one call only: when another device's state arrives, the file at this path is another one.
        query = "?vfs=openwo" if self.guard else ""
        uri = self.path.as_uri() + query
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=1, isolation_level=None)) as db:
            yield db

    def _commit(self, action):
        """Whether the transaction is in the file; it is not if somebody took the lock just now, or another program is writing."""
        with self._connection() as db:
            try:
                db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    return False
                raise
            try:
                # Whoever locks the database after this look finds the transaction and waits for it.
                if self.lock() is not None:
                    db.execute("ROLLBACK")
                    return False
                action(db)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
        return True

    def _capture(self, *words):
        try:
            self.openwo("sync", *words)
        except StoreError as error:
            # Somebody has locked the database meanwhile: what is in the file becomes a version when that lock ends.
            if error.status != LOCKED:
                raise

    @contextlib.contextmanager
    def _turn(self):
        # One process of this app after the other: so each commit is a version of its own.
        # No link is followed: the folder for temporary files belongs to everybody.
        queue = os.open(self._queue, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(queue, fcntl.LOCK_EX)
            yield
        finally:
            os.close(queue)

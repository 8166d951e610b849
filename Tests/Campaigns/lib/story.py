"""What is recorded: an app, a person with openwo, another device, and plain SQLite beside them, all on one disk."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time

NAME = "openwo.sqlite"
COMPANION = f"{NAME}.openwo"
SCHEMA = """
CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT UNIQUE, pad TEXT);
CREATE TABLE u(id INTEGER PRIMARY KEY, v TEXT UNIQUE);
CREATE TABLE filler(id INTEGER PRIMARY KEY, b BLOB);
INSERT INTO filler(b) VALUES(randomblob(3000)),(randomblob(3000)),(randomblob(3000)),(randomblob(3000));
"""


class Device:
    """A synced folder and a state folder in one place, and the programs on them."""

    def __init__(self, campaign, place):
        self.campaign, self.place = campaign, place
        self.folder = place / "Training"
        self.database = self.folder / NAME
        self.environment = dict(os.environ, OPENWO_STATE_DIR=str(place / "state"), OPENWO_DEVICE_NAME=place.name)

    def run(self, program, *words, **options):
        return subprocess.run(
            [self.campaign.program(program), *words], env=self.environment, text=True, timeout=60,
            **(options or dict(capture_output=True)))

    def openwo(self, verb, *words, json_too=True):
        """The document that the command prints; another end than success is an error."""
        done = self.run("openwo", verb, str(self.database), *(["--json"] if json_too else []), *words)
        if done.returncode != 0:
            raise RuntimeError(f"openwo {verb} ended with {done.returncode}: {(done.stdout + done.stderr).strip()[:400]}")
        return json.loads(done.stdout) if json_too else None

    def rows(self, path=None):
        """The rows of a database, which are in both tables; anything wrong is an error."""
        with sqlite3.connect(f"file:{path or self.database}?mode=ro&immutable=1", uri=True) as look:
            problems = look.execute("PRAGMA integrity_check").fetchall()
            first, second = ({row for (row,) in look.execute(f"SELECT v FROM {table}")} for table in "tu")
        look.close()
        if problems != [("ok",)]:
            raise RuntimeError(f"the database is damaged: {problems[:3]}")
        if first != second:
            raise RuntimeError(f"half a transaction: {sorted(first ^ second)}")
        return first


class Story:
    """Told once for each seed; each success becomes a mark on the disk at once."""

    def __init__(self, campaign, place, mark, mark_path, seed):
        self.mark, self.mark_path, self.dice = mark, mark_path, random.Random(seed)
        self.phone, self.mac = Device(campaign, place), Device(campaign, campaign.top / "mac")
        shutil.rmtree(self.mac.place, ignore_errors=True)
        self.count = 0

    def tell(self):
        self.phone.folder.mkdir()
        subprocess.run(["sqlite3", self.phone.database, SCHEMA], check=True)
        self.phone.openwo("init")
        shutil.copytree(self.phone.folder, self.mac.folder)
        (self.phone.place / "plain").mkdir()
        self.plain = sqlite3.connect(self.phone.place / "plain" / "plain.sqlite", isolation_level=None)
        self.plain.executescript("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; CREATE TABLE t(v)")
        os.sync()
        self.say("start")
        scenes = [self.write, self.edit, self.lock, self.arrive, self.restore, self.run_app]
        for _ in range(2):
            self.dice.shuffle(scenes)
            for scene in scenes:
                scene()
                self.commit_plainly()
        self.plain.close()

    def say(self, word):
        self.mark.write(f"{word}\n".encode())

    def row(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def rest(self):
        """Nobody is at work: what is live now is what has to be live then."""
        self.say(f"rest {' '.join(sorted(self.phone.rows()))}")

    def write(self):
        """An app writes a few rows; it acknowledges them itself."""
        self.say("busy")
        rows = [self.row("w") for _ in range(self.dice.randint(1, 3))]
        with open(self.mark_path, "wb", buffering=0) as mark:
            self.phone.run("openwo-crash", "write", str(self.phone.database), *rows, stdout=mark, check=True)

    def run_app(self):
        """An app writes on until it is killed, while a person edits."""
        self.say("busy")
        with open(self.mark_path, "wb", buffering=0) as mark:
            app = subprocess.Popen(
                [self.phone.campaign.program("openwo-crash"), "write-on", self.phone.database, self.row("a")],
                env=self.phone.environment, stdout=mark)
        time.sleep(self.dice.uniform(0.1, 0.3))
        self.lock()
        self.say("busy")
        time.sleep(self.dice.uniform(0.1, 0.3))
        app.send_signal(signal.SIGKILL)
        app.wait()

    def sql(self, row):
        return (
            f"BEGIN; INSERT INTO t(v) VALUES('{row}'); UPDATE filler SET b = randomblob(3000) WHERE id = 3;"
            f"INSERT INTO u(v) VALUES('{row}'); COMMIT")

    def edit(self):
        self.say("busy")
        row = self.row("e")
        self.phone.openwo("edit", "--", "sqlite3", "{}", self.sql(row), json_too=False)
        self.say(f"ack {row}")
        self.rest()

    def lock(self):
        self.say("busy")
        row = self.row("l")
        self.phone.openwo("lock")
        subprocess.run(["sqlite3", self.phone.database, self.sql(row)], check=True)
        self.phone.openwo("unlock")
        self.say(f"ack {row}")

    def arrive(self):
        """Another device continues from here, and its writes are imported."""
        self.say("busy")
        self.deliver(self.phone, self.mac)
        self.mac.openwo("sync")
        row = self.row("m")
        self.mac.run("openwo-crash", "write", str(self.mac.database), row, stdout=subprocess.DEVNULL, check=True)
        self.deliver(self.mac, self.phone)
        self.phone.openwo("sync")
        if row not in self.phone.rows():
            raise RuntimeError(f"{row} did not arrive")
        self.say(f"ack {row}")
        self.rest()
        self.write()

    def deliver(self, source, target):
        """As a service does: under another name first, and without waiting for the disk."""
        for path in (source.folder / COMPANION).rglob("*.*"):
            goal = target.folder / COMPANION / path.relative_to(source.folder / COMPANION)
            if path.is_file() and not goal.exists() or path.parent.name == "devices" and self.is_of(source, path):
                goal.parent.mkdir(exist_ok=True)
                shutil.copy2(path, f"{goal}.part")
                os.rename(f"{goal}.part", goal)

    def is_of(self, device, path):
        return json.loads((device.place / "state" / "device.json").read_text())["id"] == path.stem

    def restore(self):
        self.say("busy")
        versions = self.phone.openwo("history")["versions"]
        self.phone.openwo("restore", self.dice.choice(versions[1:] or versions)["id"])
        self.rest()

    def commit_plainly(self):
        for _ in range(8):
            row = self.row("p")
            self.plain.execute("INSERT INTO t VALUES(?)", (row,))
            self.say(f"plain {row}")

"""One world: devices, programs, a service, and what must be true in the end."""

import collections
import json
import os
import pathlib
import random as randomness
import re
import signal
import sqlite3
import subprocess

import schemas
from service import STYLES, Service

DATABASE = "app.sqlite"
# What openwo may end with when nothing is wrong with openwo: see the exit statuses of its help.
EXPECTED = {0, 1, 3, 10, 11, 12, 13, 14, 20, 22}


class World:
    def __init__(self, seed, folder, schema=None):
        self.random = randomness.Random(seed)
        self.folder = folder
        self.faults = []
        self.story = []
        self.counts = collections.Counter()
        names = sorted(schemas.ALL)
        self.schema = schemas.ALL[schema or names[seed % len(names)]]()
        self.policy = self.random.choice(["merge", "merge", "lastWriterWins"])
        self.begins_apart = self.random.random() < 0.2
        self.has_locks = self.random.random() < 0.6
        self.has_people = self.random.random() < 0.3
        # Where rows are never changed, each of them is one row for ever.
        self.only_adds = self.random.random() < 0.6
        self.devices = ["desk", "phone", "laptop"][: self.random.choice([2, 2, 3])]
        self.skew = {name: self.random.choice([0, 0, 0, 0, 200, -200, 86400, -86400]) for name in self.devices}
        self.label = f"{self.schema.name}, {self.policy}"
        self.now = 100_000  # seconds ahead of the real clock, of which the files have their times
        self.written = {}  # token: the device on which a program was told that it is written
        self.count = 0
        for name in self.devices:
            self.root(name).mkdir(parents=True)
        style = self.random.choice(sorted(STYLES))
        self.service = Service(style, {name: self.root(name) for name in self.devices}, self.random, self.tell)
        self.label += f", {style}, {len(self.devices)} devices"

    def root(self, device):
        return self.folder / device / "store"

    def database(self, device):
        return self.root(device) / DATABASE

    def tell(self, line):
        self.story.append(line)

    def wrong(self, what):
        self.tell(f"WRONG {what}")
        self.faults.append(what)

    # What takes part.

    def openwo(self, device, *words):
        """Runs the command; returns (status, output)."""
        environment = dict(
            os.environ, OPENWO_STATE_DIR=str(self.folder / device / "state"), OPENWO_DEVICE_NAME=device,
            LD_PRELOAD=os.environ["OPENWO_CLOCK_SHIM"], CLOCK_OFFSET=str(self.now + self.skew[device]),
            SWIFT_BACKTRACE="enable=no", TZ="UTC")
        verb, *rest = words
        command = [os.environ["OPENWO_BINARY"], verb, str(self.database(device)), *rest]
        done = subprocess.run(command, env=environment, capture_output=True, timeout=120)
        output = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
        self.tell(f"{device} +{self.now}: openwo {' '.join(words)} -> {done.returncode}: " + " | ".join(output.splitlines()[:6]))
        self.counts["commands"] += 1
        if done.returncode < 0 or "Fatal error" in output:
            self.wrong(f"openwo {' '.join(words)} was ended by {signal.Signals(-done.returncode).name if done.returncode < 0 else output}")
        elif done.returncode not in EXPECTED:
            self.wrong(f"openwo {' '.join(words)} ended with {done.returncode}: {output.strip()[:400]}")
        return done.returncode, done.stdout.decode(errors="replace")

    def write(self, device):
        """A program commits rows; it knows nothing of openwo."""
        if not self.database(device).exists():
            return
        tokens = []
        mode = self.random.choice(["DELETE", "DELETE", "DELETE", "TRUNCATE", "PERSIST", "MEMORY", "WAL"])
        try:
            connection = schemas.connect(self.schema, self.database(device))
        except sqlite3.Error:
            return
        try:
            connection.execute(f"PRAGMA journal_mode = {mode}")
            connection.execute("BEGIN IMMEDIATE")
            for _ in range(self.random.randint(1, 3)):
                token = f"{device}-{self.count}"
                self.count += 1
                self.schema.add(connection, token, self.random)
                tokens.append(token)
            if not self.only_adds and self.random.random() < 0.5:
                self.schema.change(connection, self.random)
            connection.execute("COMMIT")
            for token in tokens:
                self.written[token] = device
            self.counts["rows written"] += len(tokens)
            self.tell(f"{device} writes {tokens} ({mode})")
        except sqlite3.OperationalError as error:
            self.counts["writes refused"] += 1
            self.tell(f"{device} is refused: {error}")
        finally:
            connection.close()

    def sync(self, device):
        if not self.database(device).exists() and not (self.root(device) / f"{DATABASE}.openwo").exists():
            return
        status, output = self.openwo(device, "sync")
        if status == 0 and "is up to date" in output:
            self.counts["up to date"] += 1
            self.check_head(device, re.search("is up to date, version ([0-9a-f]+)", output)[1])

    def check_head(self, device, version):
        """What is called up to date is the version that is named."""
        target = self.folder / device / "head.sqlite"
        status, _ = self.openwo(device, "show", version, "-o", str(target))
        if status != 0:
            return
        live, head = self.tokens(self.database(device)), self.tokens(target)
        target.unlink(missing_ok=True)
        if live != head:
            self.wrong(f"{device} is called up to date, and live differs from that version by {set(live) ^ set(head)}")

    def tokens(self, path):
        """The tokens in a database, sorted, doubled ones twice."""
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            self.schema.prepare(connection)
            return sorted(row[0] for row in connection.execute(self.schema.tokens))
        finally:
            connection.close()

    def lock(self, device):
        status, _ = self.openwo(device, "lock", "--note", "by hand")
        if status == 0 and self.random.random() < 0.8:
            self.write(device)

    def unlock(self, device):
        if self.has_people and self.random.random() < 0.2:
            self.openwo(device, "unlock", "--discard")
        else:
            self.openwo(device, "unlock")

    def person(self, device):
        self.openwo(device, *self.random.choice([("restore", "@~1"), ("undo",), ("merge", "--all")]))

    def carry(self, device):
        """The service takes and brings, all or some, for one device."""
        share = self.random.choice([1, 1, 0.5])
        if self.random.random() < 0.7:
            self.service.upload(device, share)
        if self.random.random() < 0.7:
            self.service.download(device, share)
        self.tell(f"service: looks at {device}")

    # The story.

    def play(self):
        self.begin()
        for _ in range(self.random.randint(15, 45)):
            device = self.random.choice(self.devices)
            self.now += self.random.choice([1, 1, 5, 30, 700, 3600])
            action = self.random.random()
            if action < 0.33:
                self.write(device)
                if self.random.random() < 0.5:
                    self.sync(device)
            elif action < 0.6:
                self.carry(device)
            elif action < 0.85:
                self.sync(device)
            elif action < 0.95:
                if self.has_locks:
                    self.random.choice([self.lock, self.unlock])(device)
            elif self.has_people:
                self.person(device)
        self.settle()
        self.check()

    def begin(self):
        first = self.devices[0]
        seed = self.folder / "seed.sqlite"
        connection = schemas.connect(self.schema, seed)
        self.schema.begin(connection)
        connection.close()
        begun = self.devices if self.begins_apart else [first]
        for device in begun:
            self.database(device).write_bytes(seed.read_bytes())
            if self.openwo(device, "init", "--policy", self.policy)[0] != 0:
                self.wrong(f"{device} cannot begin")
        if not self.begins_apart:
            self.service.upload(first)
            for device in self.devices[1:]:
                self.service.download(device)
                self.now += 30
                self.sync(device)

    def settle(self):
        """Everybody comes together: locks end, the service carries all, clocks go on."""
        for round_ in range(14):
            # The second time for what conflicts came to.
            for _ in range(2):
                for device in self.devices:
                    self.service.upload(device)
                for device in self.devices:
                    self.service.download(device)
            self.now += 700
            for device in self.devices:
                self.end_lock(device)
                self.sync(device)
            if round_ > 2 and self.service.is_quiet() and self.is_settled():
                return
        self.wrong("the devices do not come to one database: " + "; ".join(self.state(device) for device in self.devices))

    def end_lock(self, device):
        status, output = self.openwo(device, "status", "--json")
        lock = json.loads(output or "{}").get("lock") if status in (0, 3) else None
        if lock:
            mine = json.loads(output)["device"]["id"] == lock["device"]
            if self.openwo(device, "unlock")[0] != 0 and not mine:
                self.openwo(device, "unlock", "--force", lock["id"])

    def state(self, device):
        lines = self.openwo(device, "status")[1].splitlines()
        return f"{device}: {lines[0] if lines else 'nothing'}"

    def is_settled(self):
        contents = {self.database(device).read_bytes() if self.database(device).exists() else None for device in self.devices}
        return len(contents) == 1 and all(
            "is up to date" in self.state(device) for device in self.devices)

    # What must be true.

    def check(self):
        if self.faults:
            return
        kept = {device: self.kept(device) for device in self.devices}
        excused = {token for token in self.written for content in self.service.overwritten if token.encode() in content}
        for device, (live, all_) in kept.items():
            lost = {token for token in self.written if token not in all_} - excused
            if lost:
                self.wrong(f"written and in no version on {device}: {sorted(lost)}")
            doubled = sorted({token for token in live if live.count(token) > 1})
            if doubled and self.only_adds:
                self.wrong(f"there twice on {device}: {doubled}")
            elif doubled and device == self.devices[0]:
                # A row that two sides changed, of which one came without its version, may be two rows: nothing tells.
                self.counts["rows there twice after changes"] += len(doubled)
            if self.policy == "merge" and self.schema.merges and not self.has_people:
                missing = set(self.written) - set(live) - excused
                # A side that cannot be merged by itself is set aside, and that is told.
                told = json.loads(self.openwo(device, "conflicts", "--json")[1])
                if missing and told["unmerged"]:
                    self.counts["worlds with sides set aside"] += 1
                elif missing:
                    self.wrong(f"written and not live on {device}: {sorted(missing)}")
            self.check_whole(device)
            self.check_garbage(device)

    def kept(self, device):
        """The tokens that are live, and those that are live or in a version."""
        live = self.tokens(self.database(device))
        found = set(live)
        versions = json.loads(self.openwo(device, "history", "--json")[1])["versions"]
        target = self.folder / device / "version.sqlite"
        for version in versions:
            if self.openwo(device, "show", version["id"], "-o", str(target))[0] == 0:
                found.update(self.tokens(target))
                target.unlink(missing_ok=True)
        return live, found

    def check_whole(self, device):
        connection = schemas.connect(self.schema, self.database(device))
        try:
            result = connection.execute("PRAGMA integrity_check").fetchall()
        except sqlite3.OperationalError as error:
            result = [("ok",)] if "no such module" in str(error) else [(str(error),)]
        finally:
            connection.close()
        if result != [("ok",)]:
            self.wrong(f"{device} is not whole: {result[:3]}")

    def check_garbage(self, device):
        allowed = {DATABASE, f"{DATABASE}.openwo", f"{DATABASE}-journal"}
        # A copy of a journal alone is not openwo's to judge, and so it stays.
        left = [name for name in os.listdir(self.root(device)) if name not in allowed and not name.endswith("-journal")]
        # A name that people choose too is left alone, and listed.
        listed = self.openwo(device, "conflicts")[1] if left else ""
        left = [name for name in left if name not in listed]
        if left:
            self.wrong(f"left over in the folder of {device}: {sorted(left)}")

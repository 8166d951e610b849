"""One world: devices, programs, a service, and what must be true in the end."""

import collections
import json
import os
import pathlib
import random as randomness
import signal
import sqlite3
import struct
import subprocess

import schemas
from beside import Beside
from checks import COMPANION, DATABASE, Checks
from service import STYLES, Service

# What openwo may end with when nothing is wrong with openwo: see the exit statuses of its help. On a full disk it may be 23, too.
EXPECTED = {0, 1, 3, 10, 11, 12, 13, 14, 20, 22}
FULL = 23


class World(Beside, Checks):
    def __init__(self, seed, folder, schema=None):
        self.random = randomness.Random(seed)
        # What a watch does depends on the moment, so its dice are its own: the rest of a world stays the same for a seed.
        self.dice = randomness.Random(f"watch {seed}")
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
        self.finds_each_row_once = self.only_adds
        self.devices = ["desk", "phone", "laptop"][: self.random.choice([2, 2, 3])]
        self.skew = {name: self.random.choice([0, 0, 0, 0, 200, -200, 86400, -86400]) for name in self.devices}
        self.label = f"{self.schema.name}, {self.policy}"
        self.written = {}  # token: the device on which a program was told that it is written
        self.count = 0
        watched = self.dice.random() < 0.4
        self.watched = [name for name in self.devices if watched and self.dice.random() < 0.7]
        self.watches = {}  # device: its running watch
        self.promised = {name: {} for name in self.devices}  # version: what a watch said of it
        self.settles_by_watch = self.dice.random() < 0.5
        self.has_full_disks = self.dice.random() < 0.2
        self.is_full = {name: False for name in self.devices}
        for name in self.devices:
            self.root(name).mkdir(parents=True, exist_ok=True)
        self.now = 100_000  # seconds ahead of the real clock, of which the files have their times
        style = self.random.choice(sorted(STYLES))
        self.service = Service(style, {name: self.root(name) for name in self.devices}, self.random, self.tell)
        self.label += f", {style}, {len(self.devices)} devices" + (f", watch on {' and '.join(self.watched)}" if self.watched else "")

    def root(self, device):
        return self.folder / device / "store"

    def database(self, device):
        return self.root(device) / DATABASE

    @property
    def now(self):
        return self._now

    @now.setter
    def now(self, seconds):
        self._now = seconds
        for device in self.devices:
            self.set_machine(device)

    def set_machine(self, device):
        """Tells the programs of a device, running ones too, what the time is and whether the disk is full."""
        path = self.folder / device / "machine"
        # Written over in place: running programs have it mapped.
        with open(path, "r+b" if path.exists() else "wb") as file:
            file.write(struct.pack("=qq", self._now + self.skew[device], self.is_full[device]))

    def tell(self, line):
        self.story.append(line)

    def wrong(self, what):
        self.tell(f"WRONG {what}")
        self.faults.append(what)

    # What takes part.

    def environment(self, device):
        return dict(
            os.environ, OPENWO_STATE_DIR=str(self.folder / device / "state"), OPENWO_DEVICE_NAME=device,
            LD_PRELOAD=os.environ["OPENWO_MACHINE_SHIM"], MACHINE=str(self.folder / device / "machine"),
            SWIFT_BACKTRACE="enable=no", TZ="UTC")

    def openwo(self, device, *words, is_told=True):
        """Runs the command; returns (status, output)."""
        verb, *rest = words
        command = [os.environ["OPENWO_BINARY"], verb, str(self.database(device)), *rest]
        done = subprocess.run(command, env=self.environment(device), capture_output=True, timeout=120)
        output = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
        if is_told:
            self.tell(f"{device} +{self.now}: openwo {' '.join(words)} -> {done.returncode}: " + " | ".join(output.splitlines()[:6]))
        self.counts["commands"] += 1
        if done.returncode < 0 or "Fatal error" in output:
            self.wrong(f"openwo {' '.join(words)} was ended by {signal.Signals(-done.returncode).name if done.returncode < 0 else output}")
        elif done.returncode not in EXPECTED and not (done.returncode == FULL and self.is_full[device]):
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
        if device in self.watches and self.dice.random() < 0.5:
            self.await_watch(device)
            return
        status, output = self.openwo(device, "sync")
        if status == 0:
            self.judge_words(device, output)

    def look(self, device):
        status, output = self.openwo(device, "status")
        if status == 0:
            self.judge_words(device, output)

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
            self.beside()
            if self.faults:
                break
        try:
            if not self.faults:
                self.settle()
            for device in self.devices:
                self.end_watch(device, signal.SIGTERM)
            if self.watched and not self.faults and not self.is_settled():
                self.wrong("not settled any more after the watches ended: " + "; ".join(self.state(device) for device in self.devices))
            self.check()
        finally:
            for device in self.devices:
                self.end_watch(device, signal.SIGKILL)

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
        for device in self.devices:
            self.is_full[device] = False
            self.set_machine(device)
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
                if device in self.watched and self.settles_by_watch:
                    self.settle_by_watch(device)
                else:
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

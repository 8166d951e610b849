"""Devices that edit one database apart, and a service that carries their files, until all have settled."""

import collections
import json
import pathlib
import random as randomness
import shutil
import sqlite3
import sys

import content
from command import Command, Fault
from content import Content, health
from edits import Editor
from schemas import SchemaMaker

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Adversary"))
from service import STYLES, Service  # noqa: E402

DATABASE = "app.sqlite"
NAMES = ["desk", "phone", "laptop"]
# 20: what a service delivered before its version may look like a mix of versions (LIMITS).
EXPECTED = {0, 1, 3, 11, 12, 20, 22}


def make_statements(seed, folder, devices):
    """Makes what all begin with, and for each device its edits in batches: lists of statements."""
    random = randomness.Random(f"merge {devices} {seed}")
    base = folder / "base.sqlite"
    editor = Editor(random, base, tokens="o", foreign_keys=True, odd=False)
    if random.random() < 0.15:
        editor.run(f"PRAGMA encoding = '{random.choice(['UTF-16le', 'UTF-16be'])}'")
    for statement in SchemaMaker(random, tokens=True).make():
        editor.run(statement)
    editor.edit(random.choice([0, 4, 12, 30]), inserts=1)
    editor.close()
    common, sides = editor.kept, []
    inserts = random.choice([1, 0.8, 0.5, 0.4])
    rare = random.choice([0, 0, 0.06])
    schema = random.choice([0, 0, 0, 0.15])
    for name in NAMES[:devices]:
        path = folder / f"{name}.sqlite"
        shutil.copyfile(base, path)
        editor = Editor(random, path, tokens=name[0], foreign_keys=True, odd=False)
        batches = []
        for _ in range(random.choice([1, 1, 2, 3])):
            begin = len(editor.kept)
            editor.edit(random.choice([1, 3, 6]), inserts=inserts, rare=rare if inserts < 1 else 0, schema=schema)
            batches.append(editor.kept[begin:])
        editor.close()
        path.unlink()
        sides.append(batches)
    base.unlink()
    return [common, *sides]


class World:
    """Plays the statements of one case on devices with the real command."""

    def __init__(self, seed, folder, statements):
        self.folder, self.common, self.sides = folder, statements[0], statements[1:]
        self.devices = NAMES[: len(self.sides)]
        # What the service does is drawn apart, so that fewer statements change nothing of it.
        self.random = randomness.Random(f"service {seed}")
        self.policy = self.random.choice(["merge", "merge", "merge", "lastWriterWins"])
        only_adds = all(text.startswith(("INSERT", "CREATE", "ALTER")) for side in self.sides for batch in side for text in batch)
        self.has_locks = not only_adds or self.random.random() < 0.2
        self.story, self.counts = [], collections.Counter()
        self.now = 100_000
        self.between = []  # what a device had between its edits
        self.is_edited = self.has_early_file = False
        self.said = []  # documents of merges by hand
        self.has_merged = False  # whether a sync merged before
        self.refusals = []
        for device in self.devices:
            self.root(device).mkdir(parents=True)
        style = self.random.choice([name for name in sorted(STYLES) if name != "rsync"])
        self.service = Service(style, {device: self.root(device) for device in self.devices}, self.random, self.story.append)
        self.commands = {device: Command(folder, device, offset=lambda: self.now, story=self.story) for device in self.devices}

    def root(self, device):
        return self.folder / f"device-{device}"

    def live(self, device):
        return self.root(device) / DATABASE

    def openwo(self, device, verb, *words, expect=EXPECTED):
        self.now += 1
        self.counts["commands"] += 1
        status, output, errors = self.commands[device](verb, self.live(device), *words, expect=expect)
        self.has_merged |= verb == "sync" and b'"kind":"merge"' in output
        if self.is_edited and verb == "sync" and (b"captured" in output or b'"kind":"capture"' in output):
            self.has_early_file = True
        if status == 20:
            self.counts["files kept as damaged"] += 1
            self.has_early_file = True
        return status, output, errors

    def write(self, path, statements):
        """A plain program with foreign keys runs the statements; what does not work it passes over."""
        connection = content.connect(path, foreign_keys=True)
        for statement in statements:
            try:
                connection.execute(statement)
            except (sqlite3.Error, sqlite3.Warning):
                pass
        connection.close()
        self.story.append(f"{path.parent.name} writes: " + "; ".join(statements))

    def play(self):
        """Plays all of it; then `base`, `edited` and `final` are the contents, and `unmerged` what was refused."""
        self.begin()
        self.edit()
        self.settle()
        # What another device wrote meanwhile may come to a side again.
        for _ in range(3):
            if self.refusals or not self.unmerged():
                break
            self.merge_by_hand()
            self.settle()
        self.final = Content(self.live(self.devices[0]))
        for device in self.devices[1:]:
            difference = self.final.difference(Content(self.live(device)))
            if difference:
                raise Fault("devices differ", difference)
        sick = [line for line in health(self.live(self.devices[0])) if line not in self.sick]
        if sick:
            raise Fault("merged database is not whole", str(sick[:3]))

    def begin(self):
        first = self.devices[0]
        self.write(self.live(first), self.common)
        if not self.live(first).exists() or not self.live(first).stat().st_size:
            self.write(self.live(first), ["CREATE TABLE only(id INTEGER PRIMARY KEY, token TEXT)"])
        self.base = Content(self.live(first))
        self.sick = health(self.live(first))
        self.openwo(first, "init", "--policy", self.policy, expect={0})
        self.service.upload(first)
        for device in self.devices[1:]:
            self.service.download(device)
            self.now += 30
            self.openwo(device, "sync")
        for device in self.devices:
            self.service.upload(device)

    def edit(self):
        """Each device edits by itself; now and then openwo looks between."""
        batches = [(device, batch) for device, side in zip(self.devices, self.sides) for batch in side]
        if self.random.random() < 0.5:
            self.random.shuffle(batches)
            # The batches of one device stay in their order.
            kept = {device: iter(side) for device, side in zip(self.devices, self.sides)}
            batches = [(device, next(kept[device])) for device, _ in batches]
        for device, batch in batches:
            self.now += self.random.choice([1, 30, 700])
            # Who deletes without a lock what was captured before may look like an old file (LIMITS), so such edits are made with one.
            self.between.append(Content(self.live(device)))
            is_locked = self.has_locks and self.openwo(device, "lock")[0] == 0
            self.write(self.live(device), batch)
            if is_locked:
                self.openwo(device, "unlock", expect={0})
            if self.random.random() < 0.6:
                self.openwo(device, "sync")
        self.edited = [Content(self.live(device)) for device in self.devices]
        self.sick += [line for device in self.devices for line in health(self.live(device))]
        # What is captured after that was brought before its version (LIMITS).
        for device in self.devices:
            self.openwo(device, "sync")
        self.is_edited = True

    def settle(self):
        for round_ in range(14):
            devices = list(self.devices)
            self.random.shuffle(devices)
            for _ in range(2):
                for device in devices:
                    self.service.upload(device, self.random.choice([1, 1, 0.6]) if round_ < 3 else 1)
                    if self.random.random() < 0.3 and round_ < 3:
                        self.openwo(device, "sync")
                for device in devices:
                    self.service.download(device, self.random.choice([1, 1, 0.6]) if round_ < 3 else 1)
            self.now += 700
            at_rest = [json.loads(self.openwo(device, "sync", "--json")[1] or "{}").get("atRest") for device in devices]
            if round_ > 0 and all(at_rest) and self.service.is_quiet() and self.is_equal():
                return
        said = [self.openwo(device, "status")[1].decode(errors="replace").splitlines()[:4] for device in self.devices]
        raise Fault("do not settle", str(said))

    def is_equal(self):
        return len({self.live(device).read_bytes() for device in self.devices}) == 1

    def unmerged(self):
        return json.loads(self.openwo(self.devices[0], "conflicts", "--json")[1])["unmerged"]

    def merge_by_hand(self):
        sides = self.unmerged()
        device = self.random.choice(self.devices)
        self.counts["merges by hand"] += 1
        before = self.live(device).read_bytes()
        planned = self.openwo(device, "merge", "--all", "--dry-run", "--json", expect={0, 1})
        if self.live(device).read_bytes() != before:
            raise Fault("dry run writes", "merge --all --dry-run")
        status, output, errors = self.openwo(device, "merge", "--all", "--json", expect={0, 1})
        document = json.loads(output) if output.strip() else {"merges": [], "refused": []}
        # After one of several sides others may merge that did not before.
        if len(sides) == 1 and planned[0] != status:
            raise Fault("dry run says otherwise", f"{planned[0]}, then {status}: {errors.decode(errors='replace')[:300]}")
        self.said += document["merges"]
        self.refusals = document["refused"]
        if status == 1 and not self.refusals:
            self.refusals = [{"source": "", "message": errors.decode(errors="replace")}]
        for one in self.refusals:
            if len(one["message"].strip()) < 10:
                raise Fault("refusal without a reason", str(one))

    def versions(self):
        """The contents of all versions that a device has."""
        device = self.devices[0]
        listed = json.loads(self.openwo(device, "history", "--json")[1])["versions"]
        target = self.folder / "version.sqlite"
        for version in listed:
            target.unlink(missing_ok=True)
            if self.openwo(device, "show", version["id"], "-o", str(target))[0] == 0:
                yield version, Content(target)

"""Hours of work on two devices that both run `openwo watch`, in parts that continue from saved state; see Tests/Campaigns/soak."""

import argparse
import os
import pathlib
import pickle
import random
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Campaigns" / "lib"))
import schemas  # noqa: E402
from checks import COMPANION  # noqa: E402
from parts import Parts, die_with_parent  # noqa: E402
from service import Service  # noqa: E402
from world import World  # noqa: E402

APP = pathlib.Path(__file__).with_name("app.py")
# Rows that are live at most; the oldest are deleted beyond that, so that hours do not make a larger database.
MOST_ROWS = 2000
KEPT_OF_SERVICE = ("hub", "base", "changes", "copies", "in_place", "overwritten")
# The end of a part moves the clock by less than this, in seconds, and the next part begins after it.
BETWEEN_PARTS = 20_000
STYLES = ["syncthing", "dropbox", "nextcloud"]


class Soak(World):
    """A world in real time. The first device's watch runs through a whole part, the second one's is killed now and then."""

    def __init__(self, folder, seed, part):
        self.log = open(folder / "story.log", "w", buffering=1)
        super().__init__(seed, folder, "room")
        self.dice = self.random = random.Random(f"{seed} {part}")
        self.policy, self.only_adds, self.has_people, self.has_locks = "merge", True, False, True
        # In hours, files of merges often come before their versions and are written to: a known fault of docs/LIMITS.md.
        self.finds_each_row_once = False
        self.devices = self.devices[:2]
        self.watched, self.begins_apart, self.has_full_disks = list(self.devices), False, False
        self.skew = dict.fromkeys(self.devices, 0)
        self.settles_by_watch = True
        # Beside the real time, what the ends of earlier parts have added.
        self.now = part * BETWEEN_PARTS
        roots = {name: self.root(name) for name in self.devices}
        self.service = Service(STYLES[seed % len(STYLES)], roots, self.random, self.tell)
        self.count = part * 1_000_000
        self.acknowledged = 0
        self.ledger = open(folder / "written.log", "a+", buffering=1)
        self.recall()

    # What is kept from one part to the next.

    def recall(self):
        self.ledger.seek(0)
        for line in self.ledger:
            sign, _, rest = line.rstrip("\n").partition(" ")
            token, _, device = rest.partition(" ")
            if sign == "+":
                self.written[token] = device
            else:
                self.written.pop(token, None)
        saved = self.folder / "service.pickle"
        if saved.exists():
            for name, value in pickle.loads(saved.read_bytes()).items():
                setattr(self.service, name, value)

    def save(self):
        """What the service knows. An older state of it is a service that forgot something, so a part may be killed at any time."""
        staging = self.folder / "service.new"
        staging.write_bytes(pickle.dumps({name: getattr(self.service, name) for name in KEPT_OF_SERVICE}))
        os.replace(staging, self.folder / "service.pickle")

    def tell(self, line):
        self.log.write(f"{time.strftime('%H:%M:%S')} {line}\n")

    def note(self, sign, token, device=""):
        self.ledger.write(f"{sign} {token} {device}\n")

    # What happens.

    def write(self, device):
        known = set(self.written)
        super().write(device)
        for token in self.written.keys() - known:
            self.acknowledged += 1
            self.note("+", token, device)

    def kill_app(self, device):
        """An app writes and is killed at any moment; what it said is written."""
        self.count += 1
        words = [sys.executable, APP, self.schema.name, self.database(device), f"{device}-app{self.count}"]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, preexec_fn=die_with_parent)
        wanted = self.random.randrange(4)
        said = [process.stdout.readline() for _ in range(wanted)]
        self.listen(self.random.random() * 0.02)
        process.kill()
        rest = process.stdout.read()
        process.wait()
        for line in (b"".join(said) + rest).splitlines(keepends=True):
            if line.endswith(b"\n"):
                token = line.decode().strip()
                self.written[token] = device
                self.acknowledged += 1
                self.note("+", token, device)
        self.counts["apps killed"] += 1
        self.tell(f"{device}: an app was killed after {said + [rest]}")

    def trim(self, device):
        """An app deletes its oldest rows."""
        oldest = list(self.written)[: len(self.written) - MOST_ROWS]
        connection = None
        try:
            connection = schemas.connect(self.schema, self.database(device))
            connection.execute("BEGIN IMMEDIATE")
            # First it is noted that they may go: whoever reads the ledger after a kill expects none of them.
            for token in oldest:
                self.note("-", token)
                connection.execute("DELETE FROM Task WHERE title = ?", (token,))
            connection.execute("COMMIT")
        except Exception as error:
            self.tell(f"{device}: does not delete: {error}")
        finally:
            if connection:
                connection.close()
        for token in oldest:
            self.written.pop(token)

    def person(self, device):
        """A person locks, edits and unlocks."""
        if self.openwo(device, "lock", "--note", "by hand")[0] == 0:
            self.write(device)
            self.listen(self.random.random())
            self.openwo(device, "unlock")
            self.counts["edits under a lock"] += 1

    def fill(self, device):
        self.is_full[device] = not self.is_full[device]
        self.set_machine(device)
        self.counts["full disks"] += self.is_full[device]
        self.tell(f"{device}: the disk {'is full' if self.is_full[device] else 'has room'}")

    def listen(self, seconds):
        """Lets time pass, and hears what the watches say."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            for watch in list(self.watches.values()):
                watch.listen(left / max(1, len(self.watches)))
            if not self.watches:
                return

    def act(self):
        device = self.random.choice(self.devices)
        chance = self.random.random()
        if chance < 0.4:
            self.write(device)
        elif chance < 0.75:
            self.carry(device)
        elif chance < 0.81:
            self.kill_app(device)
        elif chance < 0.84:
            self.person(device)
        elif chance < 0.87:
            self.sync(device)
        elif chance < 0.92:
            self.look(device)
        elif chance < 0.94:
            self.end_watch(self.devices[1], signal.SIGKILL)
        elif chance < 0.96:
            self.fill(device)
        elif self.is_full[device]:
            self.fill(device)
        if len(self.written) > MOST_ROWS + 200:
            self.trim(self.devices[0])
        for device in self.devices:
            if device in self.watches and not self.watches[device].is_running():
                self.end_watch(device, signal.SIGKILL)
            self.start_watch(device)
        self.listen(self.random.random())

    def play_part(self, parts, seconds):
        if not (self.root(self.devices[0]) / COMPANION).exists():
            self.begin()
        for device in self.devices:
            self.set_machine(device)
            self.start_watch(device)
        end = time.monotonic() + seconds
        saved = time.monotonic()
        while time.monotonic() < end and not self.faults:
            self.act()
            if time.monotonic() - saved > 30:
                saved = time.monotonic()
                self.save()
                parts.save()
        measured = self.measure()
        if not self.faults:
            # From here on the clock is moved, and the devices are started again.
            self.settle()
        for device in self.devices:
            self.end_watch(device, signal.SIGTERM)
        self.check()
        self.save()
        return measured

    # What must not grow.

    def measure(self):
        """What there is of each; of what comes and goes, the least of some looks."""
        found = {}
        for _ in range(20):
            self.listen(0.3)
            for name, value in self.measure_watches().items():
                found[name] = min(value, found.get(name, value))
        for device in self.devices:
            root, state = self.root(device), self.folder / device / "state"
            found[f"{device}: files of openwo that are not versions"] = sum(
                path.is_file() and "versions" not in path.relative_to(root).parts for path in root.rglob("*"))
            # Of the newest heads a device keeps a copy of its own; those are bounded by themselves.
            found[f"{device}: files in the state folder"] = sum(
                path.is_file() and "heads" not in path.parts and "headers" not in path.parts for path in state.rglob("*"))
            found[f"{device}: versions"] = sum(path.is_file() for path in (root / COMPANION / "versions").glob("*"))
            found[f"{device}: bytes of the database"] = self.database(device).stat().st_size
        return found

    def measure_watches(self):
        found = {}
        for device, watch in self.watches.items():
            if watch.is_running():
                process = pathlib.Path(f"/proc/{watch.process.pid}")
                found[f"{device}: open descriptors of watch"] = len(list((process / "fd").iterdir()))
                status = (process / "status").read_text()
                found[f"{device}: kB of memory of watch"] = int(status.split("VmRSS:")[1].split()[0])
        return found

    def check_watch(self, device):
        """Each version of which a watch has told is there, or on a list of what was pruned."""
        lists = b"".join(path.read_bytes() for path in (self.root(device) / COMPANION / "versions").glob("*.pruned"))
        self.promised[device] = {
            version: kind for version, kind in self.promised[device].items() if version.encode() not in lists}
        super().check_watch(device)


def growth(first, last):
    """What grew from the first part to the last and must not: memory by more than a fifth, descriptors and files by more than what moves anyhow."""
    # A state folder keeps up to eight copies of versions, of which some may be open.
    slack = {"kB of memory": lambda before: before * 1.2, "open descriptors": lambda before: before + 8, "files": lambda before: before + 8}
    return [
        f"{name}: {first[name]:,} at the end of the first part, {last[name]:,} now" for name in first.keys() & last.keys()
        for kind, limit in slack.items() if f": {kind}" in name and last[name] > limit(first[name])]


def main():
    parser = argparse.ArgumentParser(prog="Tests/Campaigns/soak")
    parser.add_argument("--hours", type=float, default=4, help="all parts together")
    parser.add_argument("--minutes", type=float, default=100, help="this part at most")
    parser.add_argument("--state", metavar="DIR", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="append the result to Tests/RESULTS.tsv")
    asked = parser.parse_args()
    parts = Parts(asked.state, "soak", "acknowledged row", asked.seed)
    parts.uses(os.environ["OPENWO_BINARY"])
    folder = (pathlib.Path(asked.state) / "soak").resolve()
    folder.mkdir(exist_ok=True)
    shim = pathlib.Path(parts.scratch()) / "machine.so"
    subprocess.run(["clang", "-O1", "-shared", "-fPIC", pathlib.Path(__file__).with_name("machine.c"), "-o", shim], check=True)
    os.environ["OPENWO_MACHINE_SHIM"] = str(shim)
    left = asked.hours * 3600 - parts["seconds"]
    if left > 0:
        part = parts["parts"]
        world = Soak(folder, asked.seed, part)
        measured = world.play_part(parts, min(left, asked.minutes * 60))
        all_measured = parts.known.setdefault("measured", [])
        all_measured.append(measured)
        world.faults += growth(all_measured[0], measured)
        parts.note(part, world.acknowledged, world.faults, world.counts)
        for name, value in sorted(measured.items()):
            print(f"{all_measured[0].get(name, 0):12,} in the first part, {value:12,} now  {name}")
        for fault in world.faults:
            print(f"WRONG {fault}")
    shutil.rmtree(shim.parent)
    sys.exit(parts.report(asked.record))


if __name__ == "__main__":
    main()

"""One column of the report: two devices, a service, a story, and what is left of what was promised."""

import collections
import shutil
import time

from check import check, check_joined
from device import ACKNOWLEDGED, DATABASE, RESULTS, Device
from loops import Rsync
from outcome import collect, inventory, read_database, salvage
from sabotage import blind_spots
from story import ONE_WRITER, TWO_WRITERS, Story, wait_until_quiet

DAY = 86_400

# How long the end of a lock may take to reach the other device, in milliseconds.
CARRIAGE = 15_000

# What must not travel: journals, and files that are still being written.
EXCLUSIONS = ["*-journal", "*-wal", "*-shm", ".~openwo-*.tmp"]


class Trial:
    """`apart`: each device makes a database of its own and writes before the service connects them."""

    def __init__(self, root, make_service, seconds, speed, seed, openwo=True, apart=False):
        self.root, self.seconds, self.speed, self.openwo = root, seconds, speed, openwo
        self.apart, self.before = apart, set()
        root.mkdir(parents=True)
        self.devices = [
            Device(root, "A", seed, openwo), Device(root, "B", seed + 1000, openwo, ahead=DAY)]
        self.service = make_service(root, self.devices, EXCLUSIONS)
        self.is_backup = isinstance(self.service, Rsync)
        self.figures, self.broken, self.snapshots = {}, [], 0

    def run(self):
        apps = self.devices[:1] if self.is_backup else self.devices
        try:
            self.devices[0].create()
            if self.apart:
                self.begin_apart(apps)
            else:
                self.service.start()
                self.wait_for_delivery()
                for device in apps:
                    device.start()
            script = ONE_WRITER if self.is_backup else TWO_WRITERS
            Story(apps, self.service, self.seconds, self.speed, script, self.snapshot).tell()
            self.come_to_rest(apps)
        finally:
            for device in apps:
                if device.process and device.process.poll() is None:
                    device.kill()
            self.service.stop()
        self.count()
        if self.openwo:
            self.judge()
        else:
            self.judge_control()

    def begin_apart(self, apps):
        """Both apps write into databases of their own; then the service brings the folders together."""
        self.devices[1].create()
        for device in apps:
            device.start()
            device.rate(self.speed)
        time.sleep(self.seconds / 8)
        for device in apps:
            device.rate(0)
        time.sleep(1)
        self.before = self.acknowledged
        self.figures["before the service"] = len(self.before)
        self.service.start()
        if self.openwo:
            self.meet_two_stores()

    def meet_two_stores(self):
        """Each device has made a `store.json`, and the service keeps both: that is what this story is about."""
        deadline = time.monotonic() + 60
        while not (copies := self.service.conflict_copies("store")):
            if time.monotonic() > deadline:
                self.broken.append(f"story: {self.service.name} made no conflict copy of store.json")
                return
            time.sleep(0.2)
        self.figures["conflict copies of store.json"] = len(copies)

    def wait_for_delivery(self):
        deadline = time.monotonic() + 60
        first, second = (device.folder for device in self.devices)
        while inventory(first, self.service.owns) != inventory(second, self.service.owns):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.service.name} delivered nothing")
            time.sleep(0.2)

    def come_to_rest(self, apps):
        folders = [device.folder for device in self.devices]
        # The same for both columns; what has not come to rest by then is not waited for again.
        limit = 90 if self.seconds < 60 else 180
        first = wait_until_quiet(folders, self.service, limit)
        for device in apps:
            if device.stop() != 0:
                self.broken.append(f"app: {device.name} ended with {device.process.returncode}")
        last = first and wait_until_quiet(folders, self.service, limit)
        if self.openwo and (first is None or last is None):
            self.broken.append(f"converged: not quiet within {limit} s")
        self.figures["quiet after"] = "never" if first is None else f"{first:.0f} s"

    def count(self):
        results = collections.Counter()
        for device in self.devices:
            results += collections.Counter(
                "error" if result == "error" else result
                for result, _, _ in device.results() if result in RESULTS)
        self.figures.update(results)
        self.figures["attempts"] = sum(len(device.attempts()) for device in self.devices)

    @property
    def acknowledged(self):
        return set().union(*(device.acknowledged() for device in self.devices))

    # openwo

    def judge_progress(self):
        """An app that is told to wait for ever loses nothing, and is of no use."""
        scenes = [scene for device in self.devices for scene in device.lock_scenes]
        tried = [attempt for device in self.devices for attempt in device.attempts()]
        excused = [
            when for result, when in tried
            if result == "locked" and when
            and any(begin <= when <= end + CARRIAGE for begin, end in scenes)]
        done = sum(result in ACKNOWLEDGED for result, _ in tried)
        self.figures["refused under the lock"] = len(excused)
        if 2 * done < len(tried) - len(excused):
            self.broken.append(
                f"progress: {done} of {len(tried) - len(excused)} writes without a lock were acknowledged")

    def judge(self):
        self.judge_progress()
        if self.is_backup:
            self.restore_backup()
        scratch = self.root / "scratch"
        folders = [device.folder for device in self.devices]
        sides = []
        for device in self.devices:
            twin = sides[0] if sides else None
            sides.append(collect(device.name, device.folder, scratch, self.service.owns, twin))
        found = check(sides, self.acknowledged) + check_joined(sides, self.before)
        self.broken += found
        self.figures["versions"] = len(sides[0].versions)
        self.figures["set aside"] = sum(
            len(list(device.state.glob("stores/*/aside/*"))) for device in self.devices)
        self.figures["lost"] = len(self.acknowledged - sides[0].kept)
        if not found:
            missed = blind_spots(sides, folders, scratch, self.service.owns, self.acknowledged)
            if missed:
                self.broken.append(f"checker: it does not notice {missed}")

    def snapshot(self):
        """Keeps a copy of the current backup, whatever is happening."""
        self.snapshots += 1
        copy = self.root / f"snapshot-{self.snapshots}"
        # A backup program renames its files while we copy; what is gone is gone.
        shutil.copytree(self.devices[1].folder, copy, ignore_dangling_symlinks=True)

    def restore_backup(self):
        """A copy of every backup must open on a device that is new, and be whole there."""
        for number in range(1, self.snapshots + 1):
            reader = Device(self.root, f"restored-{number}", 0)
            shutil.rmtree(reader.folder)
            shutil.copytree(self.root / f"snapshot-{number}", reader.folder)
            try:
                reader.run("reconcile")
            except RuntimeError as problem:
                self.broken.append(f"backup: {problem}")
            integrity, rows = read_database(reader.database)
            # The first ones may have been taken before anything was written and carried.
            if integrity != "ok" or not rows and number == self.snapshots:
                self.broken.append(f"backup: snapshot {number} has {len(rows)} rows: {integrity}")

    # The control

    def judge_control(self):
        """Looks for every acknowledged row in every file that either side has left, whatever its name."""
        found, salvaged, damaged, copies = set(), set(), 0, 0
        for device in self.devices:
            for path in sorted(device.folder.iterdir()):
                if not path.is_file() or path.name.startswith(".") or path.name.endswith("-journal"):
                    continue
                integrity, rows = read_database(path)
                damaged += integrity != "ok"
                copies += path.name != DATABASE
                if integrity == "ok":
                    found |= rows
                else:
                    salvaged |= rows | salvage(path)
        live = [read_database(device.database)[1] for device in self.devices]
        contents = {inventory(d.folder).get(DATABASE) for d in self.devices}
        acknowledged = self.acknowledged
        self.figures.update({
            "lost": len(acknowledged - found - salvaged),
            "only in damaged files": len(acknowledged & salvaged - found),
            "damaged files": damaged, "copies left": copies,
            "not in the live file": len(acknowledged - set.intersection(*live)),
            "live files equal": len(contents) == 1,
        })

    def report(self):
        column = "openwo " if self.openwo else "control"
        figures = ", ".join(f"{name} {value}" for name, value in self.figures.items())
        return f"{self.service.name} {column}: acknowledged {len(self.acknowledged)}, {figures}"

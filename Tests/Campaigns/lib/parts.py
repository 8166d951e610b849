"""A long campaign in parts: what was done is kept in a folder, and the next part continues from there."""

import ctypes
import datetime
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PR_SET_PDEATHSIG = 1
# With so many faults found, at most so many were to be expected, with 95 % confidence (the upper limits of Poisson's distribution).
LIMITS = [3.00, 4.74, 6.30, 7.75, 9.15, 10.51, 11.84, 13.15, 14.43, 15.71, 16.96]


def bound(cases, faults, noun):
    """What a number of cases says, in a sentence: none found in n leaves fewer than one in n/3."""
    found = {0: "no fault", 1: "1 fault"}.get(faults, f"{faults:,} faults")
    limit = LIMITS[faults] if faults < len(LIMITS) else faults + 1.65 * faults**0.5 + 2
    if cases <= limit:
        return f"{found} in {cases:,} {noun}s: too few to say more"
    return f"{found} in {cases:,} {noun}s: with 95 % confidence fewer than 1 in {int(cases / limit):,} {noun}s shows one"


class Parts:
    """What the parts of one campaign have come to so far. Without a folder it is kept nowhere."""

    def __init__(self, folder, name, noun, seed, minutes=None):
        self.noun, self.name = noun, name
        self.path = None
        self.begun = time.monotonic()
        self.deadline = self.begun + minutes * 60 if minutes else None
        self.known = {
            "campaign": name, "seed": seed, "next": seed, "apart": [], "cases": 0, "faults": [], "counts": {}, "seconds": 0, "parts": 0, "builds": {}}
        if folder:
            folder = pathlib.Path(folder)
            folder.mkdir(parents=True, exist_ok=True)
            self.path = folder / f"{name}.json"
            if self.path.exists():
                self.known = json.loads(self.path.read_text())
        self.known["parts"] += 1
        self.before = self.known["seconds"]
        self.build = None

    def __getitem__(self, key):
        return self.known[key]

    def scratch(self):
        """A new folder to play in, in memory where there is such a place; what a part that was killed left of its own goes."""
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        prefix = f"openwo-{self.name}-"
        left = pathlib.Path(self.known.get("scratch") or "/")
        if left.name.startswith(prefix):
            shutil.rmtree(left, ignore_errors=True)
        self.known["scratch"] = tempfile.mkdtemp(prefix=prefix, dir=memory)
        self.save()
        return self.known["scratch"]

    def is_over(self):
        """Whether the time of this part is up."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def uses(self, program):
        """Notes the build that the next cases try, by the hash of its program."""
        self.build = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:12]

    def seeds(self, width=1):
        """The seeds that have not been played, so far from each other, without end."""
        seed = self["next"]
        apart = set(self["apart"])
        while True:
            if seed not in apart:
                yield seed
            seed += width

    def note(self, seed, cases=1, faults=(), counts=None, width=1):
        """Notes what a seed came to, and keeps it at once: whoever is killed loses what runs, and nothing else."""
        known = self.known
        known["cases"] += cases
        known["faults"] += [{"seed": seed, "build": self.build, "what": what} for what in faults]
        for name, count in (counts or {}).items():
            known["counts"][name] = known["counts"].get(name, 0) + count
        known["builds"][self.build] = known["builds"].get(self.build, 0) + cases
        known["apart"] = sorted([*known["apart"], seed])
        while known["apart"] and known["apart"][0] == known["next"]:
            known["next"] = known["apart"].pop(0) + width
        self.save()

    def save(self):
        self.known["seconds"] = round(self.before + time.monotonic() - self.begun)
        if not self.path:
            return
        staging = self.path.with_suffix(".new")
        with open(staging, "w") as file:
            json.dump(self.known, file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(staging, self.path)

    def sentence(self):
        """How it stands, in one line."""
        faulty = len({(fault["seed"], fault["build"]) for fault in self["faults"]})
        words = bound(self["cases"], faulty, self.noun)
        if len(self["builds"]) > 1:
            words += f" ({len(self['builds'])} builds, the last with {self['builds'].get(self.build, 0):,})"
        if self["parts"] > 1:
            words += f", {self['parts']} parts"
        return words + f", {self['seconds']:,} s"

    def report(self, is_recorded=False):
        """Prints how it stands; returns the exit status."""
        for name, count in sorted(self["counts"].items()):
            print(f"{count:12,}  {name}")
        print(self.sentence())
        if is_recorded:
            self.record()
        return 1 if self["faults"] else 0

    def record(self):
        """Appends a line to the results file."""
        def git(*words):
            return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True)

        commit = git("rev-parse", "--short", "HEAD").stdout.strip() or "unknown"
        commit += "+" if git("diff", "--quiet", "HEAD").returncode else ""
        fields = [
            datetime.date.today().isoformat(), commit, str(self["seconds"]), "1" if self["faults"] else "0",
            f"{self.name} in parts from seed {self['seed']}", self.sentence()]
        with open(ROOT / "Tests" / "RESULTS.tsv", "a") as file:
            file.write("\t".join(fields) + "\n")


def die_with_parent():
    """Ends this process when the one that started it ends, even by kill -9. Linux only.

    It takes SIGINT as from a terminal: what a shell runs in the background inherits that it is ignored.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

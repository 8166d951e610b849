"""What the campaigns share: where the programs are, a folder to play in, a program that is measured, promises that may be broken."""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
IS_LONG = bool(os.environ.get("OPENWO_LONG"))


class Campaign:
    """One run: its folder, its dice, and the promises that were found broken."""

    def __init__(self, name, parser):
        parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
        parser.add_argument(
            "--programs", type=pathlib.Path, default=ROOT / ".build" / "tools" / "release", help="where the programs are")
        parser.add_argument("--keep", action="store_true", help="leave the folder behind")
        self.options = parser.parse_args()
        self.dice = random.Random(self.options.seed)
        self.programs = self.options.programs.resolve()
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.top = pathlib.Path(tempfile.mkdtemp(prefix=f"openwo-{name}-", dir=memory)).resolve()
        self.broken = []
        print(f"seed {self.options.seed}, in {self.top}", flush=True)

    def break_promise(self, what):
        self.broken.append(what)
        print(f"BROKEN {what}", flush=True)

    def program(self, name):
        return str(self.programs / name)

    def end(self, summary):
        """Says how it went, and ends the program with it."""
        print(f"{summary}, {len(self.broken)} promises broken", flush=True)
        if self.options.keep or self.broken:
            print(f"everything is left in {self.top}")
        else:
            shutil.rmtree(self.top, ignore_errors=True)
        sys.exit(1 if self.broken else 0)


class Measured:
    """A program that has ended: its status (negative: by a signal), what it printed, its seconds, its memory in MB.

    `seconds` are those of the clock, and `work` those of the processor: a machine that is busy otherwise changes the first only.
    """

    def __init__(self, words, limit=300, **options):
        start = time.monotonic()
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as remarks:
            process = subprocess.Popen(
                ["timeout", "--signal=KILL", str(limit), *words],
                stdin=subprocess.DEVNULL, stdout=output, stderr=remarks, **options)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.monotonic() - start
            self.work = usage.ru_utime + usage.ru_stime
            self.status = os.waitstatus_to_exitcode(status)
            process.returncode = self.status
            # `timeout` ends as its program did; memory is the larger one's of the two.
            self.megabytes = usage.ru_maxrss / 1024
            output.seek(0)
            remarks.seek(0)
            self.output, self.remarks = output.read(), remarks.read()

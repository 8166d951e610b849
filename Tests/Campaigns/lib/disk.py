"""A file system on a disk that writes everything down, and the disks that a power failure may leave of it."""

import contextlib
import mmap
import os
import pathlib
import random
import shutil
import struct
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
# Megabytes: not much above the least that each takes.
SIZES = {"ext4": 64, "xfs": 304, "btrfs": 128}
# `--nodiscard` and its like: nothing is told to be forgotten, so the log has all that happens.
MAKE = {
    "ext4": ["mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0"],
    "xfs": ["mkfs.xfs", "-q", "-K"], "btrfs": ["mkfs.btrfs", "-q", "-K"]}
PIECE = 4096


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")


def build(program):
    """Compiles the disk; what went wrong, or None."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        return "a C compiler is missing"
    done = subprocess.run(
        [compiler, "-O2", "-Wall", "-Wextra", "-D_FILE_OFFSET_BITS=64", "-o", program, HERE / "disk.c", "-lfuse3"],
        capture_output=True, text=True)
    return None if done.returncode == 0 else f"the disk does not compile:\n{done.stderr.strip()}"


@contextlib.contextmanager
def mounted(image, folder, kind):
    """The loop device belongs to the mount and goes with it."""
    run("mount", "-t", kind, "-o", "loop,nodiscard", image, folder)
    try:
        yield
    finally:
        if subprocess.run(["umount", folder], capture_output=True).returncode != 0:
            run("umount", "-l", folder)


class Recording:
    """What a file system told its disk while a story went on, from the mark `start`."""

    def __init__(self, folder, kind, program):
        self.kind, self.base, self.log_path = kind, folder / "base.img", folder / "log"
        self.folder, self.fuse, self.image = folder, folder / "fuse", folder / "disk.img"
        self.program = program
        self.fuse.mkdir(exist_ok=True)
        for image in (self.image, self.base):
            image.unlink(missing_ok=True)
        with open(self.base, "wb") as file:
            file.truncate(SIZES[kind] << 20)
        run(*MAKE[kind], self.base)
        run("cp", "--sparse=always", self.base, self.image)

    @contextlib.contextmanager
    def going_on(self, folder):
        """Mounts the file system; a word written to the file that this gives becomes a mark."""
        disk = subprocess.Popen([self.program, self.image, self.log_path, self.fuse], start_new_session=True)
        try:
            while not os.path.ismount(self.fuse):
                if disk.poll() is not None:
                    raise RuntimeError("the disk does not start")
                time.sleep(0.01)
            with mounted(self.fuse / "disk", folder, self.kind), open(self.fuse / "mark", "wb", buffering=0) as mark:
                yield mark
        finally:
            subprocess.run(["umount", "-l", self.fuse], capture_output=True)
            try:
                disk.wait(timeout=20)
            except subprocess.TimeoutExpired:
                disk.kill()
                disk.wait()
        self.image.unlink()
        self.read()

    def read(self):
        """Reads the log: (kind, offset, place of its bytes, how many)."""
        with open(self.log_path, "rb") as file:
            self.log = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.records, self.moments, at, flush, started, written = [], [], 0, 0, False, False
        while at < len(self.log):
            kind, offset, length = struct.unpack_from("<QQQ", self.log, at)
            kind, at = chr(kind), at + 24
            self.records.append((kind, offset, at, length))
            started = started or kind == "M" and self.log[at:at + length] == b"start\n"
            at += length
            if kind == "F":
                flush, written = len(self.records), False
            written = written or kind == "W"
            if started and written:
                self.moments.append((flush, len(self.records)))
        self.applied = 0

    def marks(self, moment):
        """What was told to somebody before a moment."""
        told = b"".join(self.log[at:at + n] for kind, _, at, n in self.records[:moment] if kind == "M")
        return told.decode().splitlines()

    def choose(self, count, seed):
        """Different disks, in the order of their flushes: (flush, moment, what came through after it)."""
        dice, chosen = random.Random(f"{self.kind} {seed}"), {}
        for _ in range(count * 20):
            flush, moment = dice.choice(self.moments)
            share, is_torn, came = dice.choice((0, 0.3, 0.7, 0.95, 1)), dice.random() < 0.3, []
            for kind, offset, at, length in self.records[flush:moment]:
                if kind != "W":
                    continue
                step = PIECE if is_torn else length
                came += [
                    (offset + part, at + part, min(step, length - part))
                    for part in range(0, length, step) if dice.random() < share]
            chosen.setdefault((flush, tuple(came)), moment)
            if len(chosen) == count:
                break
        return sorted((flush, moment, came) for (flush, came), moment in chosen.items())

    def make(self, state, image):
        """The disk as a power failure leaves it; what was flushed grows, so states are made in their order."""
        flush, _, came = state
        with open(self.base, "r+b", buffering=0) as file:
            for kind, offset, at, length in self.records[self.applied:flush]:
                if kind == "W":
                    os.pwrite(file.fileno(), self.log[at:at + length], offset)
        self.applied = max(flush, self.applied)
        run("cp", "--sparse=auto", self.base, image)
        with open(image, "r+b", buffering=0) as file:
            for offset, at, length in came:
                os.pwrite(file.fileno(), self.log[at:at + length], offset)

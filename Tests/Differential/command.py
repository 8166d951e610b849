"""The command, and SQLite's own programs."""

import os
import signal
import struct
import subprocess


class Fault(Exception):
    """Something that must hold does not: a class of faults in a word or two, and what was seen."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind, self.text = kind, text


class Command:
    """Runs openwo as one device."""

    def __init__(self, folder, device, offset=None, tamper=None, story=None):
        self.folder, self.device, self.tamper, self.story = folder, device, tamper, story
        self.offset, self.count = offset, 0

    def __call__(self, verb, *words, expect=(0,)):
        """Runs the command; returns its status, output and errors as bytes. Another status than those is a fault."""
        environment = dict(os.environ, OPENWO_STATE_DIR=str(self.folder / f"state-{self.device}"),
                           OPENWO_DEVICE_NAME=self.device, SWIFT_BACKTRACE="enable=no", TZ="UTC")
        if self.offset is not None:
            self.count += 1
            machine = self.folder / f"machine-{self.device}"
            machine.write_bytes(struct.pack("=qq", self.offset(), 0))
            environment.update(LD_PRELOAD=os.environ["OPENWO_MACHINE_SHIM"], MACHINE=str(machine),
                               CHANCE_SEED=f"{self.folder.name.removesuffix('-small')} {self.device} {self.count}")
        done = subprocess.run([os.environ["OPENWO_BINARY"], verb, *map(str, words)], env=environment, capture_output=True, timeout=120)
        said = " ".join([verb, *map(str, words)])
        if self.story is not None:
            text = (done.stdout + done.stderr).decode(errors="replace")
            self.story.append(f"{self.device}: openwo {said} -> {done.returncode}: " + " | ".join(text.splitlines())[:1500])
        if done.returncode < 0:
            raise Fault("crash", f"openwo {said} was ended by {signal.Signals(-done.returncode).name}: {done.stderr.decode(errors='replace')[-600:]}")
        if expect is not None and done.returncode not in expect:
            raise Fault(f"{verb} status {done.returncode}", f"openwo {said}: {done.stderr.decode(errors='replace')[:600]}")
        output = done.stdout
        if self.tamper:
            output = self.tamper(verb, words, output)
        return done.returncode, output, done.stderr


def shell(path, script):
    """Gives a script to the sqlite3 shell; returns what it complains about."""
    done = subprocess.run(["sqlite3", "-bail", "-batch", str(path)], input=script, capture_output=True, timeout=120)
    return done.stderr.decode(errors="replace").strip() if done.returncode or done.stderr else ""


def sqldiff(one, other, *options):
    """What sqldiff says of two databases; None if it cannot."""
    done = subprocess.run(["sqldiff", *options, str(one), str(other)], capture_output=True, timeout=120)
    return done.stdout if done.returncode == 0 else None

"""What happens beside a world's story: watches, kills, and disks that fill up."""

import json
import os
import signal

from checks import COMPANION
from watch import Watch

# How long a watch may take until it has kept what a program wrote, in seconds: a look that failed is repeated after a minute at the latest.
PATIENCE = 90


class Beside:
    """The part of a world that happens while its story is told."""

    def start_watch(self, device):
        if device in self.watches or not (self.root(device) / COMPANION / "store.json").exists():
            return
        command = [os.environ["OPENWO_BINARY"], "watch", str(self.database(device))]
        self.watches[device] = Watch(
            command, self.environment(device), self.folder / device / "watch.log",
            lambda line: self.tell(f"{device} +{self.now}: {line}"), lambda what: self.wrong(f"{device}: {what}"))
        self.counts["watches"] += 1
        self.tell(f"{device} +{self.now}: watch begins")

    def end_watch(self, device, number):
        watch = self.watches.pop(device, None)
        if watch:
            self.counts["watches killed"] += number == signal.SIGKILL
            self.counts["watches that ended by themselves"] += not watch.is_running()
            self.counts["problems of watches"] += len(watch.problems)
            watch.end(number)
            self.promised[device].update(watch.promised)

    def beside(self):
        """What happens beside the story: watches begin, are killed at any moment, or have time; disks fill up and have room again."""
        for device in self.devices:
            if self.has_full_disks and self.dice.random() < (0.4 if self.is_full[device] else 0.08):
                self.is_full[device] = not self.is_full[device]
                self.set_machine(device)
                self.tell(f"{device}: the disk {'is full' if self.is_full[device] else 'has room'}")
        for device in self.watched:
            watch = self.watches.get(device)
            chance = self.dice.random()
            if not watch or not watch.is_running():
                self.end_watch(device, signal.SIGKILL)
                if chance < 0.6:
                    self.start_watch(device)
            elif chance < 0.15:
                watch.listen(self.dice.random() * 0.03)
                self.end_watch(device, self.dice.choice([signal.SIGKILL] * 4 + [signal.SIGTERM, signal.SIGINT]))
            elif chance < 0.5:
                self.await_watch(device)
            else:
                watch.listen(0)

    def await_watch(self, device):
        """What a program wrote here is kept by the watch alone, if nothing is in its way."""
        watch = self.watches.get(device)
        if not watch or not self.database(device).exists():
            return
        seen = {}

        def is_kept():
            seen.update(self.status(device))
            # Whoever has the lock is waited for; damaged files and full disks have tests of their own.
            return seen["state"] not in ("edited", "status 12") or self.is_full[device] or seen.get("lock")

        if not watch.wait_until(is_kept, PATIENCE) and watch.is_running():
            told = {key: seen.get(key) for key in ("state", "lastError", "obstacle", "conflicts")}
            self.wrong(f"the watch of {device} does not keep what was written within {PATIENCE} s: {json.dumps(told)[:600]}")
        self.counts["waited for a watch"] += 1
        self.look(device)

    def status(self, device):
        """What `status --json` says, in no story."""
        status, output = self.openwo(device, "status", "--json", is_told=False)
        return json.loads(output) if status in (0, 3) and output else {"state": f"status {status}"}

    def settle_by_watch(self, device):
        """The device is started again and only watches."""
        self.end_watch(device, signal.SIGTERM)
        self.start_watch(device)
        watch = self.watches.get(device)
        if watch:
            watch.wait_until(lambda: self.status(device)["state"] in ("synced", "locked"), 3)

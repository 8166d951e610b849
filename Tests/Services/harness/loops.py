"""Programs that keep folders in step by being run again and again: Unison, rclone bisync, rsync."""

import os
import signal
import subprocess
import threading
import time


class Loop:
    """Runs a program every so often in a thread of its own until it is stopped."""

    pause_between = 0.7

    def __init__(self, root, devices, exclusions):
        self.root, self.exclusions = root, exclusions
        self.folders = [device.folder for device in devices]
        self.environment = dict(os.environ, HOME=str(root), UNISON=str(root / "unison"))
        self.lock, self.process = threading.Lock(), None
        self.is_paused, self.is_stopped = False, False
        self.runs, self.failures, self.quiet_runs = 0, 0, 0
        self.thread = threading.Thread(target=self.loop, daemon=True)

    def start(self):
        self.prepare()
        self.thread.start()

    def prepare(self):
        pass

    def pause(self):
        self.is_paused = True

    def resume(self):
        self.is_paused = False

    def kill(self):
        """kill -9 in the midst of a run, as soon as there is one; nothing runs until `revive`."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            with self.lock:
                if self.process and self.process.poll() is None:
                    try:
                        os.killpg(self.process.pid, signal.SIGKILL)
                    except ProcessLookupError:
                        continue  # it has just ended: the next one, then
                    self.is_paused = True
                    return
            time.sleep(0.01)

    def revive(self):
        self.is_paused = False

    def is_idle(self):
        return self.quiet_runs >= 2

    def stop(self):
        self.is_stopped = True
        if self.thread.ident:
            self.thread.join(timeout=60)

    def loop(self):
        while not self.is_stopped:
            if not self.is_paused:
                self.runs += 1
                self.once()
            time.sleep(self.pause_between)

    def run(self, *words):
        """One run of the program: (exit status, what it said)."""
        log = self.root / f"{self.name}.log"
        with self.lock:
            self.process = subprocess.Popen(
                list(map(str, words)), env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        output = self.process.communicate()[0].decode(errors="replace")
        with open(log, "a") as file:
            file.write(f"--- {time.time():.3f} exit {self.process.returncode}\n{output}")
        return self.process.returncode, output

    @staticmethod
    def first_line(*words):
        return subprocess.run(words, capture_output=True, text=True).stdout.split("\n")[0]


class Unison(Loop):
    name = "unison"

    @staticmethod
    def version():
        return Loop.first_line("unison", "-version")

    @staticmethod
    def owns(name):
        return name.split("/")[-1].startswith(".unison.")

    def once(self):
        ignored = [word for pattern in self.exclusions for word in ("-ignore", f"Name {pattern}")]
        status, _ = self.run(
            "unison", *self.folders, "-batch", "-auto", "-ui", "text", "-prefer", "newer",
            "-copyonconflict", "-fastcheck", "true", "-times", *ignored)
        self.failures += status not in (0, 1)
        self.quiet_runs = self.quiet_runs + 1 if status == 0 else 0


class Rclone(Loop):
    """bisync; a run that gives up for good is answered as its message asks for: with `--resync`, or without the lock of a killed one."""

    name = "rclone"

    def __init__(self, root, devices, exclusions, options=()):
        super().__init__(root, devices, exclusions)
        self.options, self.resyncs = options, 0
        self.filters = root / "filters"
        self.filters.write_text("".join(f"- {pattern}\n" for pattern in exclusions))
        # The user's own settings for a provider are nothing to a server on this machine.
        self.environment.pop("AWS_CA_BUNDLE", None)
        self.pairs = [tuple(self.folders)]
        self.answers = {}  # what the last message about a pair asks for

    @staticmethod
    def version():
        return Loop.first_line("rclone", "version").split()[-1]

    @staticmethod
    def owns(name):
        return name.endswith(".partial")

    def prepare(self):
        self.answers = {pair: {"--resync"} for pair in self.pairs}
        self.once()

    def once(self):
        statuses = [self.bisync(number, pair) for number, pair in enumerate(self.pairs)]
        self.failures += any(statuses)
        self.quiet_runs = 0 if any(statuses) else self.quiet_runs + 1

    def bisync(self, number, pair):
        work = self.root / f"bisync-{number}"
        answers = self.answers[pair]
        self.resyncs += "--resync" in answers
        status, output = self.run(
            "rclone", "bisync", *pair, "--filters-file", self.filters, "--workdir", work,
            "--config", self.root / "rclone.conf", *self.options, *sorted(answers))
        if "prior lock file found" in output:
            for lock in work.glob("*.lck"):
                lock.unlink()
        if status == 0:
            answers.clear()
        if "Must run --resync" in output:
            answers.add("--resync")
        if "all files were changed" in output or "too many deletes" in output:
            answers.add("--force")
        return status


class RcloneThrough(Rclone):
    """bisync of each device with a server, as with a provider of storage; both meet only there."""

    def __init__(self, root, devices, exclusions, server):
        super().__init__(root, devices, exclusions)
        self.server = server(root)

    def prepare(self):
        remote = self.server.start(self.environment)
        self.pairs = [(folder, remote) for folder in self.folders]
        super().prepare()

    def is_idle(self):
        # What one brought there the other one takes in its next run.
        return self.quiet_runs >= 3

    def stop(self):
        super().stop()
        self.server.stop()


class Rsync(Loop):
    """A backup in one direction: everything as it is, what is gone is gone."""

    name = "rsync"

    def __init__(self, root, devices, exclusions, options=()):
        super().__init__(root, devices, exclusions)
        self.options = options

    @staticmethod
    def version():
        return Loop.first_line("rsync", "--version").split()[2]

    @staticmethod
    def owns(name):
        return False

    def once(self):
        excluded = [f"--exclude={pattern}" for pattern in self.exclusions]
        status, _ = self.run(
            "rsync", "-a", "--delete", *self.options, *excluded, f"{self.folders[0]}/", f"{self.folders[1]}/")
        self.failures += status not in (0, 23, 24)
        self.quiet_runs = self.quiet_runs + 1 if status == 0 else 0

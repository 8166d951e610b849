"""`openwo watch` on one device: a process that is started, killed and started again, and whose output is judged."""

import json
import os
import selectors
import signal
import subprocess
import time

from parts import die_with_parent

EVENTS = {"imported", "captured", "published", "settled", "joined", "locked", "unlocked", "repaired", "problem"}
# What a watch may end with by itself; 0 is only for a signal.
ENDS = {10, 12, 20, 22, 23}
# The signals that end it, and what it may end with then: in its first moments it does not catch them yet.
SIGNALS = {signal.SIGKILL: {-signal.SIGKILL}, signal.SIGTERM: {0, -signal.SIGTERM}, signal.SIGINT: {130, -signal.SIGINT}}


class Watch:
    def __init__(self, command, environment, log, tell, wrong):
        self.tell, self.wrong = tell, wrong
        self.log = log
        self.rest = b""
        # The versions that it has said are kept, each as it was said.
        self.promised = {}
        self.problems = []
        with open(log, "wb") as remarks:
            self.process = subprocess.Popen(
                [*command, "--json"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=remarks,
                preexec_fn=die_with_parent)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def is_running(self):
        return self.process.poll() is None

    def listen(self, seconds):
        """Judges what it says until this much time has passed; returns at once after it has said something, or has ended."""
        if not self.selector.get_map() or not self.selector.select(seconds):
            return False
        piece = self.process.stdout.read()
        if not piece:
            self.selector.unregister(self.process.stdout)
            return False
        *lines, self.rest = (self.rest + piece).split(b"\n")
        for line in lines:
            self.judge(line)
        return bool(lines)

    def wait_until(self, is_so, seconds):
        """Whether it comes to be so; looks again whenever the watch says something."""
        deadline = time.monotonic() + seconds
        while not is_so():
            left = deadline - time.monotonic()
            if left <= 0 or not self.is_running():
                return is_so()
            self.listen(min(left, 0.2))
        return True

    def judge(self, line):
        text = line.decode(errors="replace")
        try:
            event = json.loads(text)
            kind = event["event"]
        except (ValueError, KeyError):
            self.wrong(f"watch prints no event: {text[:300]}")
            return
        if kind not in EVENTS or event["command"] != "watch":
            self.wrong(f"watch prints an unknown event: {text[:300]}")
        if kind == "problem":
            self.problems.append(event["error"])
            if not event["message"] or not event["hint"]:
                self.wrong(f"watch has a problem without words: {text[:300]}")
        for name in ("version", "winner"):
            if event.get(name):
                self.promised[event[name]] = kind
        told = {key: value for key, value in event.items() if key not in ("schema", "command", "database", "at", "changes", "hint")}
        self.tell("watch: " + json.dumps(told)[:300])

    def end(self, number):
        """Ends it with a signal and judges how it ends; what a killed one had only begun to say counts for nothing."""
        ended_itself = not self.is_running()
        if not ended_itself:
            self.process.send_signal(number)
        deadline = time.monotonic() + 30
        while self.selector.get_map() and time.monotonic() < deadline:
            self.listen(1)
        try:
            status = self.process.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.wrong(f"watch does not end within 30 s of {number.name}")
            return
        finally:
            self.selector.close()
            self.process.stdout.close()
        remarks = self.log.read_text(errors="replace").strip()
        self.tell(f"watch: ended with {status} {'by itself' if ended_itself else 'by ' + number.name} {remarks[:300]}")
        if self.rest and status != -signal.SIGKILL:
            self.wrong(f"watch ends in the middle of a line: {self.rest[:100]}")
        expected = ENDS if ended_itself else ENDS | SIGNALS[number]
        if status not in expected or "Fatal error" in remarks:
            self.wrong(f"watch ended with {status}: {remarks[:400]}")

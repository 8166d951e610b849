"""What happens to two devices, and the wait until nothing moves any more."""

import time

from outcome import inventory

# Seconds that a story takes at most; more time is filled by telling it again and again.
LONGEST = 180

# (when, as a part of the time; what). One kind of misfortune after the other, then all comes to rest.
TWO_WRITERS = [
    (0.00, "both write"),
    (0.18, "offline"),
    (0.34, "online"),
    (0.46, "lock on the first"),
    (0.60, "kill the second app"),
    (0.64, "start the second app"),
    (0.70, "kill the service"),
    (0.70, "kill the first app"),
    (0.76, "start the first app"),
    (0.76, "revive the service"),
    (0.84, "offline"),
    (0.86, "edit by hand on the second"),
    (0.97, "online"),
    (1.00, "rest"),
]

ONE_WRITER = [
    (0.00, "both write"),
    (0.20, "snapshot"),
    (0.30, "lock on the first"),
    (0.45, "snapshot"),
    (0.50, "kill the first app"),
    (0.55, "start the first app"),
    (0.60, "kill the service"),
    (0.65, "revive the service"),
    (0.80, "snapshot"),
    (1.00, "rest"),
]


class Story:
    def __init__(self, devices, service, seconds, speed, script, snapshot=lambda: None):
        self.devices, self.service, self.seconds, self.speed = devices, service, seconds, speed
        self.script, self.snapshot = script, snapshot

    def tell(self):
        start = time.monotonic()
        times = max(1, round(self.seconds / LONGEST))
        length = self.seconds / times
        for number in range(times):
            for moment, what in self.script:
                if what == "rest" and number + 1 < times:
                    continue
                time.sleep(max(0, start + (number + moment) * length - time.monotonic()))
                self.act(what)

    def act(self, what):
        first, second = (self.devices * 2)[:2]
        match what:
            case "both write":
                for device in self.devices:
                    device.rate(self.speed)
            case "offline":
                self.service.pause()
            case "online":
                self.service.resume()
            case "lock on the first":
                first.edit_under_lock()
            case "kill the first app":
                first.kill()
            case "kill the second app":
                second.kill()
            case "start the first app":
                first.start()
            case "start the second app":
                second.start()
            case "kill the service":
                self.service.kill()
            case "revive the service":
                self.service.revive()
            case "edit by hand on the second":
                second.edit_by_hand()
            case "snapshot":
                self.snapshot()
            case "rest":
                for device in self.devices:
                    device.rate(0)
            case _:
                raise ValueError(what)


def wait_until_quiet(folders, service, limit, still=4.0):
    """Waits until all folders are equal, nothing has changed for a while and the service has nothing to do.

    Returns the seconds it took, or None when the time ran out.
    """
    start = time.monotonic()
    before, since = None, start
    while time.monotonic() - start < limit:
        now = [inventory(folder, service.owns) for folder in folders]
        if now != before or not service.is_idle():
            before, since = now, time.monotonic()
        elif time.monotonic() - since >= still and all(one == now[0] for one in now):
            return time.monotonic() - start
        time.sleep(0.3)
    return None

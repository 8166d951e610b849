"""After a power failure: how a person continues, and what has to be there."""

import os
import sqlite3

from story import COMPANION, NAME, Device


def look(campaign, place, told):
    """The promises that are broken on this disk."""
    device, broken = Device(campaign, place), []
    try:
        device.openwo("sync")
        if device.openwo("status")["lock"]:
            # What waited for the end of the lock is done now.
            device.openwo("unlock")
            device.openwo("sync")
        live = device.rows()
        check_rows(device, told, live, broken)
        if told[-1].startswith("rest ") and live != set(told[-1].split()[1:]):
            broken.append(f"the live rows are {sorted(live)}, and were {told[-1]}")
        before = listing(device.folder)
        device.openwo("sync")
        changed = dict(before.items() ^ listing(device.folder).items())
        if changed:
            broken.append(f"a second sync changes {sorted(changed)}")
        done = device.run("openwo-crash", "write", str(device.database), "afterwards")
        if done.stdout != "ack afterwards\n" or "afterwards" not in device.rows():
            broken.append(f"a write is not taken: {done.stdout}{done.stderr.strip()[:300]}")
        # A staging file is somebody's for a minute; that it goes then, `openwo-crash states` looks at.
        left = [name for name in os.listdir(device.folder) if name not in (NAME, COMPANION) and not name.startswith(".~openwo-")]
        if left:
            broken.append(f"left in the folder: {left}")
    except (RuntimeError, sqlite3.Error) as error:
        broken.append(str(error))
    return broken


def check_rows(device, told, live, broken):
    """Looks for the acknowledged rows, in the live file and then in one version after the other."""
    missing = {line.split()[1] for line in told if line.startswith("ack ")} - live
    shown = device.campaign.top / "shown.sqlite"
    for version in device.openwo("history")["versions"] if missing else []:
        shown.unlink(missing_ok=True)
        done = device.run("openwo", "show", str(device.database), version["id"], "-o", str(shown))
        if done.returncode == 0:
            missing -= device.rows(shown)
        if not missing:
            return
    if missing:
        broken.append(f"{len(missing)} acknowledged rows are lost: {sorted(missing)[:8]}")


def listing(folder):
    """Every file by its inode, its size and its time."""
    found = {}
    for top, _, names in os.walk(folder):
        for name in names:
            status = os.lstat(os.path.join(top, name))
            found[os.path.relpath(os.path.join(top, name), folder)] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return found


def look_at_control(place, told):
    """Whether plain SQLite was the last that was told of a commit, and whether it has lost one."""
    rows = {line.split()[1] for line in told if line.startswith("plain ")}
    try:
        with sqlite3.connect(place / "plain" / "plain.sqlite") as look:
            found = {row for (row,) in look.execute("SELECT v FROM t")}
        look.close()
    except sqlite3.Error:
        found = set()
    return told[-1].startswith("plain "), bool(rows - found)

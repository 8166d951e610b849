"""Runs the story against the requested services, with openwo and the control at the same time."""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time
import traceback

from loops import Rclone, RcloneThrough, Rsync, Unison
from servers import S3, WebDAV
from syncthing import Syncthing
from trial import Trial


def variants(service, is_long):
    """(title, how to make it, whether the devices begin apart) of every setting of a service that is tried."""
    match service:
        case "syncthing":
            settings = [(10, 1)] + ([(-1, 1), (0, 1), (10, 10)] if is_long else [])
            return [
                (f"syncthing {Syncthing.version()}, maxConflicts {conflicts}, delay {delay} s",
                 functools.partial(Syncthing, max_conflicts=conflicts, delay=delay), False)
                for conflicts, delay in settings
            ] + [(f"syncthing {Syncthing.version()}, begun apart", Syncthing, True)]
        case "unison":
            return [(f"{Unison.version()}, prefer newer, copyonconflict", Unison, False)]
        case "rclone":
            plain = [(f"rclone {Rclone.version()} bisync", Rclone, False)]
            if not knows_conflict_resolve():
                return plain
            newer = functools.partial(Rclone, options=("--conflict-resolve", "newer"))
            return plain + [(f"rclone {Rclone.version()} bisync, conflict-resolve newer", newer, False)]
        case "webdav" | "s3":
            server = {"webdav": WebDAV, "s3": S3}[service]
            return [(f"rclone {Rclone.version()} bisync through {server.__name__}", functools.partial(RcloneThrough, server=server), False)]
        case "rsync":
            inplace = functools.partial(Rsync, options=("--inplace",))
            return [
                (f"rsync {Rsync.version()} as a backup", Rsync, False),
                (f"rsync {Rsync.version()} --inplace as a backup", inplace, False)]


def knows_conflict_resolve():
    numbers = Rclone.version().lstrip("v").split("-")[0].split(".")
    return tuple(map(int, numbers[:2])) >= (1, 66)


def run(title, make_service, apart, options, root):
    """Both columns at the same time; returns whether openwo kept every promise."""
    columns = [
        Trial(root / name, make_service, options.seconds, options.speed, options.seed, openwo, apart)
        for name, openwo in (("openwo", True), ("control", False))]
    crashes = []

    def go(trial):
        try:
            trial.run()
        except Exception:
            crashes.append(f"{trial.root.name}: {traceback.format_exc()}")

    threads = [threading.Thread(target=go, args=(trial,)) for trial in columns]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = [f"== {title} (seed {options.seed}, {options.seconds} s)"]
    lines += [f"   {trial.report()}" for trial in columns]
    lines += [f"   BROKEN {line}" for line in columns[0].broken + crashes]
    print("\n".join(lines), flush=True)
    return not columns[0].broken and not crashes


def main():
    parser = argparse.ArgumentParser(prog="Tests/Services/run")
    parser.add_argument("services", nargs="*", default=["all"])
    parser.add_argument("--seconds", type=float, help="how long the story takes")
    parser.add_argument("--long", action="store_true", help="all settings, and longer stories")
    parser.add_argument("--speed", type=float, default=2, help="writes a second on each side")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    parser.add_argument("--keep", action="store_true", help="leave all folders where they are")
    options = parser.parse_args()
    options.long = options.long or os.environ.get("OPENWO_LONG") == "1"
    options.seconds = options.seconds or (180 if options.long else 20)
    names = ["syncthing", "unison", "rclone", "rsync"]
    names = names if "all" in options.services else options.services
    # In memory where there is such a place: other work on this machine's disk does not slow the story down.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    top = pathlib.Path(tempfile.mkdtemp(prefix="openwo-services-", dir=memory))
    start = time.monotonic()
    # Four at a time: they mostly wait.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        trials = [
            pool.submit(run, title, make, apart, options, top / f"{name}-{number}")
            for name in names
            for number, (title, make, apart) in enumerate(variants(name, options.long))]
    good = all(trial.result() for trial in trials)
    print(f"{'every promise kept' if good else 'PROMISES BROKEN'}, {time.monotonic() - start:.0f} s")
    if options.keep or not good:
        print(f"everything is left in {top}")
    else:
        shutil.rmtree(top)
    sys.exit(0 if good else 1)


main()

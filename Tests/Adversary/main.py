"""Plays worlds until their number is reached or the time is up."""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import time
import traceback

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Campaigns" / "lib"))
import beside  # noqa: E402
import schemas  # noqa: E402
from parts import Parts, die_with_parent  # noqa: E402
from world import World  # noqa: E402

# The worlds of the long form.
LONG = 2000
# The bugs of sabotage.py, and what a world must say of each.
BUGS = {
    "watch sleeps": "does not keep what was written", "watch ends": "watch ended with 0", "watch tells of nothing": "not in the history",
    "watch prints words": "prints no event", "old version named": "is called up to date"}


# Worlds with a watch.
WATCHED = (23, 24, 30)


def play(seed, schema, root, keep):
    """Plays one world; returns (seed, label, faults, counts, story)."""
    folder = pathlib.Path(root) / f"world-{seed}"
    world = World(seed, folder, schema)
    try:
        world.play()
    except Exception:  # a fault of the campaign counts as one of the product until somebody has looked
        world.faults.append(traceback.format_exc())
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    return seed, world.label, world.faults, world.counts, world.story


def test_itself(root):
    """Plants each bug; returns those that no world noticed."""
    os.environ["OPENWO_REAL"] = os.environ["OPENWO_BINARY"]
    program = pathlib.Path(root) / "openwo"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {pathlib.Path(__file__).with_name('sabotage.py')} \"$@\"\n")
    program.chmod(0o755)
    os.environ["OPENWO_BINARY"] = str(program)
    beside.PATIENCE = 15
    missed = []
    for bug, words in BUGS.items():
        os.environ["OPENWO_SABOTAGE"] = bug
        # One world need not give the bug a chance.
        seen = any(words in fault for seed in WATCHED for fault in play(seed, "log", root, False)[2])
        print(f"{'seen  ' if seen else 'MISSED'}  {bug}", flush=True)
        missed += [] if seen else [bug]
    return missed


def results(parts, asked, root):
    """What each world came to, as they end; no world begins once the time is up."""
    seeds = itertools.islice(parts.seeds(), max(0, asked.worlds - parts["cases"]))
    with concurrent.futures.ProcessPoolExecutor(asked.jobs, initializer=die_with_parent) as pool:
        running = set()
        while True:
            while len(running) < asked.jobs and not parts.is_over():
                seed = next(seeds, None)
                if seed is None:
                    break
                running.add(pool.submit(play, seed, asked.schema, root, asked.keep))
            if not running:
                return
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for work in done:
                yield work.result()


def arguments():
    parser = argparse.ArgumentParser(prog="Tests/Adversary/run")
    parser.add_argument("--worlds", type=int, help="how many, those of earlier parts among them")
    parser.add_argument("--seed", type=int, help="of the first world")
    parser.add_argument("--schema", choices=sorted(schemas.ALL))
    parser.add_argument("--story", action="store_true", help="print what happened in each world")
    parser.add_argument("--keep", action="store_true", help="leave the files of the worlds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--long", action="store_true", help=f"{LONG} worlds")
    parser.add_argument("--state", metavar="DIR", help="continue from what this folder says, and keep there what was done")
    parser.add_argument("--minutes", type=float, help="begin no world after that")
    parser.add_argument("--record", action="store_true", help="append the result to Tests/RESULTS.tsv")
    parser.add_argument("--self-test", action="store_true", help="plant bugs, and see whether the checks notice them")
    asked = parser.parse_args()
    if asked.worlds is None:
        asked.worlds = LONG if asked.long else 10**9 if asked.minutes else 60
    return asked


def main():
    asked = arguments()
    seed = asked.seed if asked.seed is not None else int(time.strftime("%Y%m%d")) if asked.long else 1
    parts = Parts(asked.state, "adversary", "world", seed, asked.minutes)
    if asked.seed is not None and parts["seed"] != asked.seed:
        sys.exit(f"{asked.state} has worlds from seed {parts['seed']}; leave --seed out, or name another folder")
    parts.uses(os.environ["OPENWO_BINARY"])
    root = parts.scratch()
    shim = os.path.join(root, "machine.so")
    source = pathlib.Path(__file__).with_name("machine.c")
    subprocess.run(["clang", "-O1", "-shared", "-fPIC", source, "-o", shim], check=True)
    os.environ["OPENWO_MACHINE_SHIM"] = shim
    try:
        if asked.self_test:
            sys.exit(1 if test_itself(root) else 0)
        for seed, label, faults, counts, story in results(parts, asked, root):
            counts["with watch"] += "watch" in label
            parts.note(seed, faults=faults, counts=counts)
            if asked.story:
                print("\n".join(story))
            if faults:
                print(f"world {seed} ({label}):")
                for fault in faults[:5]:
                    print("  " + fault.replace("\n", "\n  "), flush=True)
    finally:
        if asked.keep:
            print(f"files: {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)
    sys.exit(parts.report(asked.record))


main()

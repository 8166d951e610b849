"""Plays worlds until one is wrong or their number is reached."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
import schemas  # noqa: E402
from world import World  # noqa: E402


def play(seed, schema, root, keep):
    """Plays one world; returns (seed, faults, counts, story)."""
    folder = pathlib.Path(root) / f"world-{seed}"
    world = World(seed, folder, schema)
    try:
        world.play()
    except Exception:  # a fault of the campaign counts as one of the product until somebody has looked
        world.faults.append(traceback.format_exc())
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    return seed, world.label, world.faults, world.counts, world.story


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--worlds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--schema", choices=sorted(schemas.ALL))
    parser.add_argument("--story", action="store_true", help="print what happened in each world")
    parser.add_argument("--keep", action="store_true", help="leave the files of the worlds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()

    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    root = tempfile.mkdtemp(prefix="openwo-adversary-", dir=memory)
    shim = os.path.join(root, "clock.so")
    source = pathlib.Path(__file__).with_name("clock.c")
    subprocess.run(["clang", "-O1", "-shared", "-fPIC", source, "-o", shim], check=True)
    os.environ["OPENWO_CLOCK_SHIM"] = shim

    begun = time.monotonic()
    counts = collections.Counter()
    wrong = 0
    seeds = range(asked.seed, asked.seed + asked.worlds)
    try:
        with concurrent.futures.ProcessPoolExecutor(asked.jobs) as pool:
            works = [pool.submit(play, seed, asked.schema, root, asked.keep) for seed in seeds]
            for work in works:
                seed, label, faults, found, story = work.result()
                counts += found
                counts["worlds"] += 1
                if asked.story:
                    print("\n".join(story))
                if faults:
                    wrong += 1
                    print(f"world {seed} ({label}):")
                    for fault in faults[:5]:
                        print("  " + fault.replace("\n", "\n  "))
    finally:
        if asked.keep:
            print(f"files: {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)
    for name, count in sorted(counts.items()):
        print(f"{count:8}  {name}")
    print(f"{asked.worlds} worlds from seed {asked.seed}, {wrong} wrong, {time.monotonic() - begun:.0f} s")
    return 1 if wrong else 0


sys.exit(main())

"""Plays cases of one part, or of all, each from its seed."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random as randomness
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
import difference  # noqa: E402
import export  # noqa: E402
import outcome  # noqa: E402
import selftest  # noqa: E402
import shrink  # noqa: E402
import world  # noqa: E402
from command import Command, Fault  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def shared_store(folder):
    """A store that the comparison of two other files needs, and leaves as it is."""
    store = folder.parent / f"store-{os.getpid()}" / "app.sqlite"
    if not store.exists():
        store.parent.mkdir(exist_ok=True)
        Command(store.parent, "diff")("init", "--create", store)
    return store


class Diff:
    """Cases of diff, and for each second one of export."""

    make = staticmethod(difference.make_sides)

    @staticmethod
    def check(seed, folder, statements):
        difference.build(statements, folder)
        counts = difference.DiffCase(folder, shared_store(folder)).check()
        if seed % 2 == 0:
            counts += export.ExportCase(folder, folder / "b.sqlite", randomness.Random(seed)).check()
        return counts


class Merge:
    """Merges of so many devices."""

    def __init__(self, devices):
        self.devices = devices

    def make(self, seed, folder):
        return world.make_statements(seed, folder, self.devices)

    def check(self, seed, folder, statements):
        return outcome.merge_case(seed, folder, statements)


PARTS = {"diff": Diff(), "two": Merge(2), "three": Merge(3)}


def fault_in(part, seed, folder, statements):
    """Plays a case; returns (fault or None, counts)."""
    try:
        return None, PARTS[part].check(seed, folder, statements)
    except Fault as found:
        return (found.kind, found.text), collections.Counter()
    except Exception:  # a fault of the oracle counts as one of the product until somebody has looked
        return ("oracle", traceback.format_exc()), collections.Counter()


def play(part, seed, asked, root, end):
    """Plays one case; returns (part, seed, fault or None, counts), or None if the time is over."""
    # A fault of openwo may depend on the moment: the files of what was broken tell more than a second try.
    if end and time.time() > end:
        return None
    folder = pathlib.Path(root) / f"{part}-{seed}"
    folder.mkdir()
    statements = PARTS[part].make(seed, folder)
    fault, counts = fault_in(part, seed, folder, statements)
    if fault and asked.shrink:
        small = pathlib.Path(root) / f"{part}-{seed}-small"
        statements = shrink.smaller(
            statements, lambda one: (fault_in(part, seed, small, one)[0] or [None])[0], small)
        small.mkdir(exist_ok=True)
        fault, _ = fault_in(part, seed, shutil.rmtree(small) or small.mkdir() or small, statements)
        fault = (fault or ("not again", ""))[0], f"{(fault or ('', ''))[1]}\n" + "\n--\n".join(map(str, statements))
    counts["cases of " + part] += 1
    if not (asked.keep and fault):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(f"{folder}-small", ignore_errors=True)
    return part, seed, fault, counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("part", nargs="?", default="all", choices=[*PARTS, "all"])
    parser.add_argument("--cases", type=int, help="so many; of all parts twice as many of diff")
    parser.add_argument("--seed", type=int, default=1, help="the first case")
    parser.add_argument("--seconds", type=float, help="begin no case after so many")
    parser.add_argument("--keep", action="store_true", help="leave the files of broken cases")
    parser.add_argument("--shrink", action="store_true", help="make broken cases smaller")
    parser.add_argument("--strict", action="store_true", help="count what LIMITS admits as broken too")
    parser.add_argument("--self-test", action="store_true", help="tamper with what the oracle sees")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    root = tempfile.mkdtemp(prefix="openwo-differential-", dir=memory)
    shim = os.path.join(root, "machine.so")
    compiler = shutil.which("cc") or "clang"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", HERE.parent / "Adversary" / "machine.c", HERE / "chance.c", "-o", shim], check=True)
    os.environ["OPENWO_MACHINE_SHIM"] = shim
    if asked.strict:
        os.environ["DIFFERENTIAL_STRICT"] = "1"
    try:
        return test_oracle(root, asked) if asked.self_test else campaign(root, asked)
    finally:
        if asked.keep:
            print(f"files: {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)


def test_oracle(root, asked):
    cases = asked.cases or 12
    missed = selftest.run(pathlib.Path(root), shared_store, cases)
    print(f"self-test with {cases} cases: " + ("all tampering was seen" if not missed else "NOT SEEN: " + "; ".join(missed)))
    return 1 if missed else 0


def campaign(root, asked):
    begun, counts, kinds = time.monotonic(), collections.Counter(), collections.Counter()
    end = time.time() + asked.seconds if asked.seconds else None
    cases = asked.cases or 100
    seeds = range(asked.seed, asked.seed + cases)
    listed = [(asked.part, seed) for seed in seeds]
    if asked.part == "all":
        # In turn, so that of each part something is played if the time ends.
        listed = [one for seed in seeds for one in
                  (("diff", 2 * seed), ("diff", 2 * seed + 1), ("two", seed), ("three", seed))]
    with concurrent.futures.ProcessPoolExecutor(asked.jobs) as pool:
        works = [pool.submit(play, part, seed, asked, root, end) for part, seed in listed]
        for work in concurrent.futures.as_completed(works):
            if work.result() is None:
                continue
            part, seed, fault, found = work.result()
            counts += found
            if fault:
                kinds[f"BROKEN {part}: {fault[0]}"] += 1
                print(f"{part} {seed}: {fault[0]}: {fault[1][:6000]}")
                print(f"  again: Tests/Differential/run {part} --seed {seed} --cases 1 --keep", flush=True)
    for name, count in sorted((counts + kinds).items()):
        print(f"{count:8}  {name}")
    diffs, two, three = (counts[f"cases of {part}"] for part in PARTS)
    print(f"{diffs} of diff, {two} merges of two and {three} of three devices from seed {asked.seed}: {sum(kinds.values())} broken, "
          f"{time.monotonic() - begun:.0f} s")
    return 1 if kinds else 0


sys.exit(main())

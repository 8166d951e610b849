"""The checker's own control: an outcome that was good is spoilt in every way, and each must be noticed."""

import dataclasses
import json
import shutil

from check import check, check_joined
from device import DATABASE, shell
from outcome import COMPANION, look


def add_row(folder):
    shell(folder / DATABASE, "INSERT INTO entry VALUES('sabotage', '')")


def damage(folder):
    with open(folder / DATABASE, "r+b") as file:
        file.seek(4096)
        file.write(b"\x00" * 2048)


def second_head(folder):
    version = next((folder / COMPANION / "versions").glob("*"))
    header = json.loads(version.read_bytes().split(b"\n", 1)[0])
    header.update(id="0" * 64, parents=[], content="0" * 64)
    forged = version.with_name("forged.same")
    forged.write_bytes(json.dumps(header).encode() + b"\n")


def remove_newest_version(folder):
    max((folder / COMPANION / "versions").glob("*")).unlink()


def leave(name):
    return lambda folder: (folder / name).write_bytes(b"left behind")


SPOILERS = [
    ("converged", [add_row, None]),
    ("version", [add_row, add_row]),
    ("integrity", [damage, None]),
    ("heads", [second_head, None]),
    ("companion", [None, remove_newest_version]),
    ("leftover", [None, leave("openwo.sync-conflict-20261121-003549-W42IXU7.sqlite")]),
    ("leftover", [leave(f"{COMPANION}/versions/.~openwo-1234.tmp"), None]),
    ("leftover", [leave(f"{COMPANION}/devices/a.sync-conflict-20261121-003549-W42IXU7"), None]),
    ("journal", [leave(f"{DATABASE}-journal"), None]),
]


def blind_spots(good, folders, scratch, ignored, acknowledged):
    """Returns what the checker failed to notice; none when it can be trusted."""
    missed = []
    if not any(line.startswith("lost") for line in check(good, acknowledged | {"never-written"})):
        missed.append("lost")
    if not check_joined(good, {"never-written"}):
        missed.append("joined")
    thinned = [dataclasses.replace(side, lasting=set()) for side in good]
    if not any(line.startswith("lasting") for line in check(thinned, acknowledged)):
        missed.append("lasting")
    for index, (promise, spoilers) in enumerate(SPOILERS):
        place = scratch / f"sabotage-{index}"
        sides = [
            spoilt(side, folder, spoil, place, ignored) if spoil else side
            for side, folder, spoil in zip(good, folders, spoilers)]
        if not any(line.startswith(promise) for line in check(sides, acknowledged)):
            missed.append(f"{promise} ({index})")
        shutil.rmtree(place)
    return missed


def spoilt(side, folder, spoil, place, ignored):
    copy = place / f"spoilt-{side.name}"
    shutil.copytree(folder, copy)
    spoil(copy)
    # What the versions hold is spoilt by none of it, and dear to read.
    return dataclasses.replace(
        look(side.name, copy, ignored), versions=side.versions, kept=side.kept,
        lasting=side.lasting)

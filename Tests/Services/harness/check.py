"""The checker: what must be true of two settled sides. Pure; every broken promise is a sentence."""

import hashlib

from device import DATABASE

EMPTY = hashlib.sha256(b"").hexdigest()
COMPANION = f"{DATABASE}.openwo"


def check(sides, acknowledged):
    """Returns the broken promises; none when all is well."""
    broken = []
    for side in sides:
        broken += check_side(side, acknowledged)
    first = sides[0]
    for other in sides[1:]:
        names = sorted(first.files.keys() | other.files.keys())
        different = [name for name in names if first.files.get(name) != other.files.get(name)]
        if DATABASE in different:
            broken.append(f"converged: {first.name} and {other.name} have different live files")
        rest = [name for name in different if name != DATABASE]
        if rest:
            broken.append(f"companion: {first.name} and {other.name} differ in {rest[:5]}")
    return broken


def check_side(side, acknowledged):
    broken = []
    if side.integrity != "ok":
        broken.append(f"integrity: {side.name}: {side.integrity}")
    if len(set(side.heads)) != 1:
        broken.append(f"heads: {side.name} has {len(set(side.heads))}")
    lost = sorted(acknowledged - side.kept)
    if lost:
        broken.append(f"lost: {side.name}: {len(lost)} acknowledged rows are nowhere: {lost[:10]}")
    passing = sorted(acknowledged & side.kept - side.lasting)
    if passing:
        broken.append(f"lasting: {side.name}: {len(passing)} acknowledged rows go with the next pruning: {passing[:10]}")
    if side.files.get(DATABASE) not in side.versions.values():
        broken.append(f"version: {side.name}: the live file is no version")
    for name, content in side.files.items():
        if name == DATABASE or is_companion(name):
            continue
        # A service that is killed can leave a copy that it has only begun: there is nothing in it to take over, and `doctor` names it.
        if content == EMPTY and not name.startswith(COMPANION) and not name.startswith(f"{DATABASE}-"):
            continue
        kind = "journal" if name.startswith(f"{DATABASE}-") else "leftover"
        broken.append(f"{kind}: {side.name}: {name}")
    return broken


def check_joined(sides, before):
    """Rows that devices wrote before a service connected them are in the live file, whoever won later."""
    broken = []
    for side in sides:
        missing = sorted(before - side.rows)
        if missing:
            broken.append(f"joined: {side.name}: {len(missing)} rows are not in the live file: {missing[:10]}")
    return broken


def is_companion(name):
    """Whether a file is one of those that the folder format knows."""
    parts = name.split("/")
    if parts[0] != COMPANION or parts[-1].startswith("."):
        return False
    if parts[1:] == ["store.json"]:
        return True
    return len(parts) == 3 and (
        parts[1] == "devices" and parts[2].endswith(".json")
        or parts[1] == "versions"
        and parts[2].rsplit(".", 1)[-1] in ("full", "pages", "same", "pruned"))

"""Shows that the oracle sees: outputs and merged databases are tampered with, and each time a fault has to be told."""

import collections
import random as randomness
import re

import difference
import export
import outcome
import world
from command import Fault


def without_a_row(verb, words, output):
    """The output without one of its rows."""
    if "--sql" in words or "sql" in words:
        lines = output.split(b"\n")
        rows = [i for i, line in enumerate(lines) if line.startswith((b"INSERT", b"UPDATE", b"DELETE")) and b"sqlite_sequence" not in line]
        return b"\n".join(lines[: rows[0]] + lines[rows[0] + 1:]) if rows else output
    if "--rows" in words:
        return re.sub(rb'"rows":\[\{.*?\}(,|\])', lambda m: b'"rows":[' if m[1] == b"," else b'"rows":[]', output, count=1)
    if verb == "export":
        lines = output.split(b"\n")
        rows = [i for i, line in enumerate(lines) if line.startswith(b"    {")]
        if rows:
            return b"\n".join(lines[: rows[0]] + lines[rows[0] + 1:]) if not lines[rows[0]].endswith(b"}") else output
        records = output.split(b"\r\n")
        return b"\r\n".join(records[:1] + records[2:]) if "csv" in words and len(records) > 2 else output
    return output


def with_another_cell(verb, words, output):
    """The output with another number in one cell."""
    if "--sql" in words or "sql" in words:
        return re.sub(rb"(VALUES\(.*?)(\d+)\);", lambda m: m[1] + m[2] + b"1);", output, count=1)
    if "--rows" in words:
        return re.sub(rb'"(new|old)":\[(-?)(\d+)', lambda m: b'"%s":[%s1%s' % (m[1], m[2], m[3]), output, count=1)
    if verb == "export" and "csv" not in words:
        return re.sub(rb'(\n    \{".*?": -?)(\d+)', lambda m: m[1] + b"1" + m[2], output, count=1)
    return output



def tamper_rows(kind, random):
    """Changes the merged rows in one place; returns whether it could."""
    def tamper(base, sides, final):
        names = [name for name, rows in final.tables.items() if rows and not name.startswith(("audit", "監査"))]
        if not names:
            raise Untouched
        name = random.choice(names)
        rows = final.tables[name]
        identity = random.choice(sorted(rows, key=repr))
        key, cells = rows[identity]
        if kind == "row gone":
            del rows[identity]
        elif kind == "row twice":
            final.doubled[(name, identity)] += 1
        elif kind == "row from nowhere":
            rows[("text", b"nowhere")] = (key, cells)
        else:
            column = random.choice(sorted(cells))
            rows[identity] = (key, dict(cells, **{column: ("text", b"tampered")}))
    return tamper


class Untouched(Exception):
    """There was nothing to tamper with."""


def run(root, store_of, cases):
    """Tampers with so many cases in each way; returns the ways in which too little was seen."""
    seen, tried = collections.Counter(), collections.Counter()
    for seed in range(1, cases + 1):
        for name, tamper in (("dropped row", without_a_row), ("other cell", with_another_cell)):
            for part in ("diff", "export"):
                folder = root / f"self-{part}-{name.replace(' ', '-')}-{seed}"
                folder.mkdir()
                changed = []
                def noting(verb, words, output, tamper=tamper, changed=changed):
                    result = tamper(verb, words, output)
                    changed.append(result != output)
                    return result
                difference.build(difference.make_sides(seed, folder), folder)
                try:
                    if part == "diff":
                        difference.DiffCase(folder, store_of(folder), noting).check()
                    else:
                        export.ExportCase(folder, folder / "b.sqlite", randomness.Random(seed), noting).check()
                    told = False
                except Fault:
                    told = True
                tried[f"{part}: {name}"] += any(changed)
                seen[f"{part}: {name}"] += told and any(changed)
        if seed % 4 == 1:
            tamper_merge(seed, root, seen, tried)
    missed = [f"{way}: {seen[way]} of {tried[way]}" for way in tried if seen[way] < tried[way] or not tried[way]]
    for way in sorted(tried):
        print(f"{seen[way]:5} of {tried[way]:3} seen  {way}")
    return missed


def tamper_merge(seed, root, seen, tried):
    folder = root / f"self-merge-{seed}"
    folder.mkdir()
    played = world.World(seed, folder, world.make_statements(seed, folder, 2))
    played.play()
    if played.unmerged():
        return
    for kind in ("row gone", "row twice", "row from nowhere", "other cell"):
        before = twice(played.counts)
        told = False
        try:
            outcome.check(played, tamper_rows(kind, randomness.Random(seed)))
        except Untouched:
            continue
        except Fault:
            told = True
        tried[f"merge: {kind}"] += 1
        # Where LIMITS admits it, it is only counted.
        seen[f"merge: {kind}"] += told or kind == "row twice" and twice(played.counts) > before


def twice(counts):
    """How many rows were counted that are there twice."""
    return sum(count for name, count in counts.items() if name.startswith("known: row") and "twice" in name)

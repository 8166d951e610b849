"""Looks at what devices came to: merged by the oracle, or refused with a reason and everything kept."""

import re

import world
from command import Fault
from merge import Oracle, known
from rows import Rows, Schema


def merge_case(seed, folder, statements, tamper=None):
    """Plays the case and checks what came of it; returns what was counted."""
    played = world.World(seed, folder, statements)
    try:
        played.play()
        check(played, tamper)
    finally:
        (folder / "story.txt").write_text("\n".join(played.story))
    return played.counts


def check(played, tamper=None):
    live = played.live(played.devices[0])
    unmerged = played.unmerged()
    if unmerged:
        check_kept(played)
        return
    schema = Schema(live)
    base = Rows(played.base, schema)
    sides = [Rows(edited, schema) for edited in played.edited]
    final = Rows(played.final, schema)
    if tamper:
        tamper(base, sides, final)
    between = [Rows(content, schema) for content in played.between]
    Oracle(base, sides, final, played.counts, between, played.has_early_file).check()
    check_told(played, base, sides)
    played.counts["merges that came together"] += 1


def check_kept(played):
    """Refused or not asked for: each row that a side has is live or in a version, and the reason is told."""
    played.counts["merges refused"] += 1
    for one in played.refusals:
        words = re.sub(r"'.*?'|\"(?:[^\"]|\"\")*\"|\d+", "…", one["message"].strip().splitlines()[0])
        words = re.sub(r"^.*? cannot be merged", "", words)
        played.counts[f"refused: {words[:160]}"] += 1
        if any(text in words for text in ("syntax error", "no such", "malformed")):
            raise Fault("refused by a mistake", one["message"])
    wanted = [(name, row) for side in played.edited for name, rows in side.rows.items() for row in rows
              if not side.tables[name].is_virtual]
    there = set()
    for _, content in played.versions():
        for name, rows in content.rows.items():
            there |= {(name, row) for row in rows}
    lost = [one for one in wanted if one not in there]
    if lost:
        raise Fault("row in no version", str(lost[:2]))
    if not played.refusals and played.has_early_file:
        known(played.counts, "known: a side is still listed after a file came before its version")
    elif not played.refusals:
        raise Fault("unmerged without a refusal", str(played.unmerged()))


def check_told(played, base, sides):
    """A cell that both changed and that a person's merge decided is in what it says."""
    if len(sides) != 2 or len(played.said) != 1 or played.has_merged:
        return
    told = {(one["table"], one["column"]) for one in played.said[0]["conflicts"]}
    for name, rows in base.tables.items():
        if any(side.tables[name] and side.content.tables[name].is_told_by_rowid for side in sides if name in side.tables) and any(
                side.content.schema != base.content.schema for side in sides):
            # Both rows are there (LIMITS).
            continue
        for identity, (key, before) in rows.items():
            found = [side.tables.get(name, {}).get(identity) for side in sides]
            if None in found or any(one[0] != key for one in found):
                continue
            for column in before:
                values = [one[1].get(column) for one in found]
                if None in values or before[column] in values or values[0] == values[1]:
                    continue
                if (name, column) not in told and (name, None) not in told:
                    raise Fault("loser not told", f"{name} {identity} {column}: {values}; told {told}")
                played.counts["losers told"] += 1

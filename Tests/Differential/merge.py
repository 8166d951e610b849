"""What must hold of a merge: the oracle knows what each side began with and came to, and looks at what they came to together."""

import collections
import re

import world
from command import Fault
from rows import Rows, Schema, folded


class Oracle:
    """Holds a merged content against the base and the contents of the sides."""

    def __init__(self, base, sides, final, counts=None, between=(), has_early_file=False):
        self.base, self.sides, self.final = base, sides, final  # Rows
        self.between = between  # what devices had between their edits, as others may have merged it
        self.has_early_file = has_early_file
        self.counts = collections.Counter() if counts is None else counts
        self.schema = final.schema
        self.leader = {}

    # Rows that meet in a key that must be unique are one.

    def find(self, row):
        while row in self.leader:
            row = self.leader[row]
        return row

    def join(self, one, other):
        one, other = self.find(one), self.find(other)
        if one != other:
            self.leader[max(one, other, key=repr)] = min(one, other, key=repr)

    def plain(self, cell):
        """A cell with what it points to after rows became one."""
        return ("row", self.find(cell[1])) if cell[0] == "row" else cell

    def meet(self, name):
        """Finds the rows of different sides that share a unique key."""
        uniques = []
        for rows in [self.final, *self.sides]:
            for unique in rows.schema.unique.get(name, []):
                if unique is not None and unique not in uniques:
                    uniques.append(unique)
        for unique in uniques:
            holders = {}
            for rows in [self.base, *self.sides]:
                for identity, (_, cells) in rows.tables.get(name, {}).items():
                    found = [cells.get(column) for column in unique]
                    if any(cell is None or cell[0] == "null" for cell in found):
                        continue
                    key = tuple(repr(folded(self.plain(cell)) if cell[0] != "row" else self.plain(cell)) for cell in found)
                    if key in holders:
                        self.join((name, holders[key]), (name, identity))
                    holders.setdefault(key, identity)

    # What is checked.

    def check(self):
        for name in self.final.order():
            self.meet(name)
        if self.final.doubled:
            self.check_doubled()
        for name in {name for rows in self.sides for name in rows.tables}:
            if name not in self.final.tables and name in self.final.content.tables:
                continue
            if name not in self.final.tables:
                if all(name in rows.tables for rows in self.sides) or name not in self.base.tables:
                    raise Fault("table lost", name)
                continue
            self.check_table(name)
        return self.counts

    def check_doubled(self):
        for name, identity in self.final.doubled:
            before = self.base.tables.get(name, {}).get(identity)
            moved = before and [rows for rows in self.sides if identity in rows.tables[name] and rows.tables[name][identity][0] != before[0]]
            if moved:
                self.counts["known: row twice after its key was changed"] += 1
            elif self.is_told_by_content(name):
                self.counts["known: row without a key twice after the schema was changed"] += 1
            elif self.has_early_file:
                self.counts["known: row twice after a file came before its version"] += 1
            else:
                raise Fault("row twice", f"{name}: {identity}")

    def is_told_by_content(self, name):
        """Whether a table has no key and its numbers may be others, as the schema was changed (LIMITS)."""
        table = self.final.content.tables[name]
        return table.is_told_by_rowid and any(side.content.schema != self.base.content.schema for side in self.sides)

    def check_table(self, name):
        base = self.base.tables.get(name, {})
        final = self.final.tables[name]
        self.present = {self.find((name, identity)) for identity in final}
        members = collections.Counter(self.find((name, identity)) for identity in {
            identity for rows in [self.base, *self.sides] for identity in rows.tables.get(name, {})})
        self.joined = {row for row, count in members.items() if count > 1}
        self.reused = self.find_reused(name)
        known = set(base).union(*(rows.tables.get(name, {}) for rows in self.sides))
        for identity in final:
            if identity not in known and not (self.find((name, identity)) in self.joined):
                if "token" in self.final.content.tables[name].sql:
                    raise Fault("row from nowhere", f"{name}: {identity} {final[identity]}")
        for identity in known - set(base):
            self.check_inserted(name, identity)
        for identity in base:
            self.check_old(name, identity)

    def find_reused(self, name):
        """Rows whose key a side gave to a new row while another side touched them, and those new rows."""
        base = self.base.tables.get(name, {})
        by_key = {key: identity for identity, (key, _) in base.items()}
        found = set()
        for rows in self.sides:
            for identity, (key, _) in rows.tables.get(name, {}).items():
                old = by_key.get(key)
                if old is not None and old != identity and rows.tables[name].get(old, (None,))[0] != key:
                    found |= {old, identity}
        return found

    def excused(self, name, identity, kind, text):
        """Passes over what is known where a key was used again or rows met in one; else it is a fault."""
        if identity in self.reused:
            self.counts[f"known: key used again: {kind}"] += 1
            return
        if self.has_early_file and "lost" not in kind:
            self.counts[f"known: a file came before its version: {kind}"] += 1
            return
        raise Fault(kind, f"{name}: {text}")

    def check_inserted(self, name, identity):
        values = [rows.tables[name][identity][1] for rows in self.sides if identity in rows.tables.get(name, {})]
        self.counts["rows inserted"] += 1
        row = self.find((name, identity))
        final = self.final.tables[name].get(identity)
        if final is None:
            if row in self.present and row in self.joined:
                self.counts["rows joined by a unique key"] += 1
                return
            self.excused(name, identity, "inserted row lost", f"{identity} {values[0]}")
            return
        if row in self.joined:
            return
        for column, cell in final[1].items():
            wanted = [self.plain(one[column]) for one in values if column in one]
            if wanted and self.plain(cell) not in wanted:
                self.excused(name, identity, "cell of an inserted row", f"{identity} {column}: {cell}, not {wanted}")

    def check_old(self, name, identity):
        key, before = self.base.tables[name][identity]
        after = [rows.tables[name].get(identity) if name in rows.tables else None for rows in self.sides]
        changed = [one for one in after if one and (one[0] != key or self.differs(one[1], before))]
        final = self.final.tables[name].get(identity)
        row = self.find((name, identity))
        if any(one is None for one in after) and not changed:
            if final and self.stays_with_parent(before):
                self.counts["rows that stay with a parent that stays"] += 1
            elif final and not self.is_held(name, identity, before) and row not in self.joined:
                self.excused(name, identity, "deleted row is back", f"{identity} {before}")
            return
        if final is None:
            if row in self.joined and row in self.present:
                self.counts["rows joined by a unique key"] += 1
                return
            kind = "row lost" if not changed else "changed row lost" if None not in after else "changed row lost to a delete"
            self.excused(name, identity, kind, f"{identity} {before}, changed to {changed}")
            return
        self.check_cells(name, identity, before, [one[1] for one in after if one], changed, final[1])

    def differs(self, cells, before):
        return any(self.plain(cells[column]) != self.plain(before[column]) for column in cells if column in before)

    def check_cells(self, name, identity, before, after, changed, final):
        if identity in self.reused or self.find((name, identity)) in self.joined:
            return
        if len(changed) > 1 and self.is_told_by_content(name):
            return
        # A CHECK or a unique key may let only one side's row stand as a whole.
        whole = len(changed) > 1 and name in self.schema.checked and any(
            all(self.plain(final[column]) == self.plain(cells[column]) for column in cells if column in final) for cells in after)
        for column, cell in final.items():
            self.counts["cells checked"] += 1
            found = [self.plain(cells[column]) for cells in after if column in cells]
            if column in before:
                moved = [one for one in found if one != self.plain(before[column])]
                wanted = moved or [self.plain(before[column])]
            else:
                wanted = found
            if len(set(map(repr, wanted))) > 1:
                self.counts["cells that both changed"] += 1
            if wanted and self.plain(cell) not in wanted and not whole:
                kind = "cell that nobody changed" if column in before and not moved else "cell"
                if self.has_been(name, identity, column, cell):
                    self.counts["known: a state between the edits was merged"] += 1
                    continue
                self.excused(name, identity, kind, f"{identity} {column}: {cell}, not {wanted}, was {before.get(column)}")

    def stays_with_parent(self, before):
        """Whether a side deleted a row to which this one points, and it stays, so its cascade does not count."""
        parents = [cell[1] for cell in before.values() if cell[0] == "row"]
        return any(one in self.final.tables.get(name, {}) and any(one not in rows.tables.get(name, {}) for rows in self.sides)
                   for name, one in parents)

    def has_been(self, name, identity, column, cell):
        """Whether a device had that cell between its edits."""
        return any(self.plain(rows.tables[name][identity][1].get(column, cell)) == self.plain(cell)
                   for rows in self.between if identity in rows.tables.get(name, {}))

    def is_held(self, name, identity, before):
        """Whether a row that was deleted stays with reason: others point to it, or did between, or changed it between."""
        for rows in [self.final, *self.between]:
            found = rows.tables.get(name, {}).get(identity)
            if rows is not self.final and found and self.differs(found[1], before):
                return True
            base = self.base if rows is not self.final else None
            for other, table in rows.tables.items():
                for one, (_, cells) in table.items():
                    is_new = base is None or one not in base.tables.get(other, {}) or base.tables[other][one][1] != cells
                    if is_new and any(cell == ("row", (name, identity)) for cell in cells.values()):
                        return True
        return False


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
        if "syntax error" in words or "no such" in words or "malformed" in words:
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
        played.counts["known: a side is still listed after a file came before its version"] += 1
    elif not played.refusals:
        raise Fault("unmerged without a refusal", str(played.unmerged()))


def check_told(played, base, sides):
    """A cell that both changed and that a person's merge decided is in what it says."""
    if len(sides) != 2 or len(played.said) != 1:
        return
    told = {(one["table"], one["column"]) for one in played.said[0]["conflicts"]}
    for name, rows in base.tables.items():
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

"""What must hold of a merge: the oracle knows what each side began with and came to, and looks at what they came to together."""

import collections
import os

from command import Fault
from rows import folded


def known(counts, what):
    """Counts what LIMITS admits; with --strict it is a fault."""
    if os.environ.get("DIFFERENTIAL_STRICT"):
        raise Fault(what, "this is what LIMITS admits")
    counts[what] += 1


class Oracle:
    """Holds a merged content against the base and the contents of the sides."""

    def __init__(self, base, sides, final, counts=None, between=(), has_early_file=False):
        self.base, self.sides, self.final = base, sides, final  # Rows
        self.between = between  # what devices had between their edits, as others may have merged it
        self.has_early_file = has_early_file
        self.counts = collections.Counter() if counts is None else counts
        self.schema = final.schema
        self.leader = {}

    def known(self, what):
        known(self.counts, what)

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
            # What a row without a name points to may be another row in the end: then it has its key and nothing else in common.
            ends = [] if self.has_token(name) else [self.final]
            for rows in [self.base, *self.sides, *ends]:
                for identity, (_, cells) in rows.tables.get(name, {}).items():
                    found = [cells.get(column) for column in unique]
                    if any(cell is None or cell[0] == "null" for cell in found):
                        continue
                    key = tuple(repr(folded(self.plain(cell)) if cell[0] != "row" else self.plain(cell)) for cell in found)
                    if key in holders:
                        self.join((name, holders[key]), (name, identity))
                    holders.setdefault(key, identity)

    def has_token(self, name):
        """Whether a name of its own tells a row of a table; else what it points to does."""
        return "token" in self.final.content.tables[name].sql

    # What is checked.

    def check(self):
        for name in self.final.order():
            self.meet(name)
        self.reused = {(name, identity) for name in self.final.order() for identity in self.find_reused(name)}
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
                self.known("known: row twice after its key was changed")
            elif self.is_told_by_content(name):
                self.known("known: row without a key twice after the schema was changed")
            elif self.has_deletes():
                self.known("known: row twice in merges with deletes")
            elif self.has_early_file:
                self.known("known: row twice after a file came before its version")
            else:
                raise Fault("row twice", f"{name}: {identity}")

    def has_deletes(self):
        """Whether a side deleted something (LIMITS)."""
        return any(set(rows) - set(side.tables.get(name, {})) for side in self.sides for name, rows in self.base.tables.items())

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
        known = set(base).union(*(rows.tables.get(name, {}) for rows in self.sides))
        for identity in final:
            if identity not in known and not (self.find((name, identity)) in self.joined):
                if any(identity in rows.tables.get(name, {}) for rows in self.between):
                    self.excused(name, identity, "deleted row is back", f"{identity}, which was there between the edits only")
                elif self.has_token(name):
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

    def is_reused(self, name, identity):
        """Whether a row's key was used again, or, if what it points to tells it, the key of one of those."""
        if (name, identity) in self.reused:
            return True
        return not self.has_token(name) and any(
            cell[0] == "row" and cell[1] in self.reused for _, cell in identity)

    def leads_to_reused(self, cells):
        """Whether a cell points to a row whose key was used again, so that it may lead to the other one."""
        return any(cell[0] == "row" and cell[1] in self.reused for cell in cells)

    def excused(self, name, identity, kind, text, cells=()):
        """Passes over what is known where a key was used again or rows met in one; else it is a fault."""
        if self.is_reused(name, identity) or self.leads_to_reused(cells):
            self.known(f"known: key used again: {kind}")
            return
        if self.has_early_file and "lost" not in kind:
            self.known(f"known: a file came before its version: {kind}")
            return
        raise Fault(kind, f"{name}: {text}")

    def check_inserted(self, name, identity):
        values = [rows.tables[name][identity][1] for rows in self.sides if identity in rows.tables.get(name, {})]
        self.counts["rows inserted"] += 1
        row = self.find((name, identity))
        final = self.final.tables[name].get(identity)
        if final is None:
            if row in self.present and (row in self.joined or not self.has_token(name)):
                self.counts["rows joined by a unique key"] += 1
                return
            if self.may_meet_in_a_computed_key(name, identity):
                self.counts["rows that may be joined by a computed key"] += 1
                return
            self.excused(name, identity, "inserted row lost", f"{identity} {values[0]}")
            return
        if row in self.joined:
            return
        for column, cell in final[1].items():
            wanted = [self.plain(one[column]) for one in values if column in one]
            if wanted and self.plain(cell) not in wanted:
                self.excused(name, identity, "cell of an inserted row", f"{identity} {column}: {cell}, not {wanted}", [cell, *wanted])

    def may_meet_in_a_computed_key(self, name, identity):
        """Whether a unique index over an expression may have made the row one with another side's, which is there."""
        if not any(None in rows.schema.unique.get(name, []) for rows in [self.final, *self.sides]):
            return False
        others = {one for rows in self.sides if identity not in rows.tables.get(name, {}) for one in rows.tables.get(name, {})}
        return bool(others & set(self.final.tables[name]) - set(self.base.tables.get(name, {})))

    def check_old(self, name, identity):
        key, before = self.base.tables[name][identity]
        after = [rows.tables[name].get(identity) if name in rows.tables else None for rows in self.sides]
        # A number that no column shows is nothing that a person changes.
        is_hidden = self.base.content.tables[name].is_told_by_rowid
        changed = [one for rows, one in zip(self.sides, after) if one and (
            (one[0] != key and not is_hidden) or self.differs(one[1], before) or not rows.fills(name, {
                column: cell for column, cell in one[1].items() if column not in before}))]
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
        if self.is_reused(name, identity) or self.find((name, identity)) in self.joined:
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
                    self.known("known: a state between the edits was merged")
                    continue
                self.excused(name, identity, kind, f"{identity} {column}: {cell}, not {wanted}, was {before.get(column)}", [cell, *wanted])

    def stays_with_parent(self, before):
        """Whether a side deleted a row to which this one points, or changed its key, and it stays, so its cascade does not count.

        A row with another key counts as deleted, so what the side deleted itself comes back with the old key: docs/LIMITS.md, known faults.
        """
        def is_gone(rows, name, one):
            found, base = rows.tables.get(name, {}).get(one), self.base.tables.get(name, {}).get(one)
            if found is None or base is None or found[0] == base[0]:
                return found is None
            # With the old key still, or if it changed as well: then it is not known for the same row.
            return any(cells[0] == base[0] for cells in self.final.tables.get(name, {}).values()) or found[1] != base[1]

        parents = [cell[1] for cell in before.values() if cell[0] == "row"]
        return any(one in self.final.tables.get(name, {}) and any(is_gone(rows, name, one) for rows in self.sides)
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

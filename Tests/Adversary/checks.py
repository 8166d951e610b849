"""What must be true of a world: while it is played, and in the end."""

import json
import os
import re
import sqlite3

import schemas

DATABASE = "app.sqlite"
COMPANION = f"{DATABASE}.openwo"
# The names that the folder format knows.
KNOWN = re.compile(r"store\.json|devices/[^/]+\.json|versions/[^/]+\.(full|pages|same|pruned)|locks(/.*)?|devices|versions")

# `sync` names the version on the same line, `status` on one of its own.
UP_TO_DATE = re.compile(r"is up to date(?:, version |\n(?:.*\n)*?  +version +)([0-9a-f]+)")


class Checks:
    """The part of a world that judges."""

    def judge_words(self, device, output):
        """What is called up to date is the version that is named."""
        named = UP_TO_DATE.search(output)
        if not named:
            return
        self.counts["up to date"] += 1
        version = named[1]
        # A watch may go on between two looks; then openwo is asked again.
        for _ in range(4):
            difference = self.difference(device, version)
            if not difference:
                return
            again = UP_TO_DATE.search(self.openwo(device, "status")[1])
            if again and again[1] == version and self.difference(device, version):
                self.wrong(f"{device} is called up to date, and live differs from that version by {difference}")
                return
            if not again:
                return
            version = again[1]

    def difference(self, device, version):
        """The tokens in which live and a version differ; none if the version cannot be shown."""
        target = self.folder / device / "head.sqlite"
        status, _ = self.openwo(device, "show", version, "-o", str(target))
        if status != 0:
            return None
        live, head = self.tokens(self.database(device)), self.tokens(target)
        target.unlink(missing_ok=True)
        return None if live == head else set(live) ^ set(head) or {"doubled rows"}

    def tokens(self, path):
        """The tokens in a database, sorted, doubled ones twice."""
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            self.schema.prepare(connection)
            return sorted(row[0] for row in connection.execute(self.schema.tokens))
        finally:
            connection.close()

    def check(self):
        if self.faults:
            return
        # All versions of one device; of the others those that are needed to find each row.
        kept = {device: self.kept(device, device == self.devices[0]) for device in self.devices}
        excused = {token for token in self.written for content in self.service.overwritten if token.encode() in content}
        for device, (live, all_) in kept.items():
            lost = {token for token in self.written if token not in all_} - excused
            if lost:
                self.wrong(f"written and in no version on {device}: {sorted(lost)}")
            doubled = sorted({token for token in live if live.count(token) > 1})
            if doubled and self.finds_each_row_once:
                self.wrong(f"there twice on {device}: {doubled}")
            elif doubled and device == self.devices[0]:
                # A row that two sides changed, of which one came without its version, may be two rows: nothing tells. Known faults in docs/LIMITS.md.
                self.counts["rows there twice, a known fault"] += len(doubled)
            if self.policy == "merge" and self.schema.merges and not self.has_people:
                missing = set(self.written) - set(live) - excused
                # A side that cannot be merged by itself is set aside, and that is told.
                told = json.loads(self.openwo(device, "conflicts", "--json")[1])
                if missing and told["unmerged"]:
                    self.counts["worlds with sides set aside"] += 1
                elif missing:
                    self.wrong(f"written and not live on {device}: {sorted(missing)}")
            self.check_whole(device)
            self.check_garbage(device)
            self.check_watch(device)

    def kept(self, device, are_all_read):
        """The tokens that are live, and those that are live or in a version."""
        live = self.tokens(self.database(device))
        found = set(live)
        versions = json.loads(self.openwo(device, "history", "--json")[1])["versions"]
        target = self.folder / device / "version.sqlite"
        for version in versions:
            if not are_all_read and found.issuperset(self.written):
                break
            if self.openwo(device, "show", version["id"], "-o", str(target))[0] == 0:
                found.update(self.tokens(target))
                target.unlink(missing_ok=True)
        return live, found

    def check_whole(self, device):
        connection = schemas.connect(self.schema, self.database(device))
        try:
            result = connection.execute("PRAGMA integrity_check").fetchall()
        except sqlite3.OperationalError as error:
            result = [("ok",)] if "no such module" in str(error) else [(str(error),)]
        finally:
            connection.close()
        if result != [("ok",)]:
            self.wrong(f"{device} is not whole: {result[:3]}")

    def check_garbage(self, device):
        allowed = {DATABASE, f"{DATABASE}.openwo", f"{DATABASE}-journal"}
        # A copy of a journal alone is not openwo's to judge, and so it stays.
        left = [name for name in os.listdir(self.root(device)) if name not in allowed and not name.endswith("-journal")]
        # A name that people choose too is left alone, and listed.
        listed = self.openwo(device, "conflicts")[1] if left else ""
        left = [name for name in left if name not in listed]
        if left:
            self.wrong(f"left over in the folder of {device}: {sorted(left)}")
        companion = self.root(device) / COMPANION
        unknown = [str(path.relative_to(companion)) for path in companion.rglob("*")]
        unknown = [name for name in unknown if not KNOWN.fullmatch(name)]
        # As above; doctor lists these.
        listed = self.openwo(device, "doctor")[1] if unknown else ""
        unknown = [name for name in unknown if os.path.basename(name) not in listed]
        if unknown:
            self.wrong(f"left over in the companion of {device}: {sorted(unknown)}")

    def check_watch(self, device):
        """Each version of which a watch has told is there."""
        if not self.promised[device]:
            return
        versions = json.loads(self.openwo(device, "history", "--json", "--all")[1])["versions"]
        known = {version["id"] for version in versions}
        missing = {version: kind for version, kind in self.promised[device].items() if version not in known}
        if missing:
            self.wrong(f"told by the watch of {device} and not in the history: {missing}")

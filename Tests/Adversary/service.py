"""Services that carry files between the folders of devices, as plain programs that know nothing of SQLite."""

import contextlib
import os
import pathlib
import shutil

STYLES = {
    # name of a conflict copy (stem, suffix, device, number), or None where the loser is not kept
    "syncthing": lambda stem, suffix, device, n: f"{stem}.sync-conflict-20261127-10{n:04}-ABCDEF{n % 10}{suffix}",
    "dropbox": lambda stem, suffix, device, n: f"{stem} ({device}'s conflicted copy 2026-11-{n % 28 + 1:02} {n}){suffix}",
    "onedrive": lambda stem, suffix, device, n: f"{stem}-{device}-{n}{suffix}",
    "nextcloud": lambda stem, suffix, device, n: f"{stem} (conflicted copy 2026-11-27 {n:06}){suffix}",
    "drive": lambda stem, suffix, device, n: f"{stem} ({n}){suffix}",
    "icloud": lambda stem, suffix, device, n: f"{stem} {n + 1}{suffix}",
    "unison": lambda stem, suffix, device, n: f"{stem} (conflict #{n} on 2026-11-27 changed on {device}){suffix}",
    "rsync": None,
}


class Service:
    """A server and what each device last had of it."""

    def __init__(self, name, folders, random, story):
        self.style = STYLES[name]
        self.folders = folders
        self.random = random
        self.story = story
        # path: (bytes or None where it was removed, number of the change)
        self.hub = {}
        # device: path: (number of the change, bytes)
        self.base = {device: {} for device in folders}
        self.changes = 0
        self.copies = 0
        self.in_place = random.random() < 0.4
        # What the service itself overwrote with nothing kept: bytes
        self.overwritten = []

    def files(self, device):
        root = self.folders[device]
        for folder, _, names in os.walk(root):
            for name in names:
                path = pathlib.Path(folder) / name
                yield str(path.relative_to(root))

    def _skips(self, path):
        # Services leave out what programs hold for a moment; journals travel.
        return path.endswith(("-shm", ".tmp")) or "/.syncthing." in path

    def _read(self, device, path):
        try:
            return (self.folders[device] / path).read_bytes()
        except FileNotFoundError:
            return None

    def upload(self, device, share=1.0):
        """Takes what a device changed; of a conflict the server's file stays, or goes into a copy."""
        base = self.base[device]
        here = {path for path in self.files(device) if not self._skips(path)}
        for path in sorted(here | set(base)):
            if self.random.random() > share:
                continue
            content = self._read(device, path) if path in here else None
            known = base.get(path)
            if known and known[1] == content or (not known and content is None):
                continue
            there = self.hub.get(path, (None, 0))
            if there[1] == (known[0] if known else 0) or there[0] == content:
                if there[0] != content:
                    self.changes += 1
                    self.hub[path] = (content, self.changes)
                base[path] = (self.hub[path][1], content)
                continue
            self._conflict(device, path, content, there)

    def _conflict(self, device, path, content, there):
        base = self.base[device]
        self.story(f"service: conflict of {path} on {device}")
        if content is None:
            # Removed here and changed there: it comes back.
            base.pop(path, None)
            return
        if there[0] is None:
            self.changes += 1
            self.hub[path] = (content, self.changes)
            base[path] = (self.changes, content)
            return
        if self.style is None:
            self.overwritten.append(content)
        else:
            self.copies += 1
            stem, suffix = os.path.splitext(os.path.basename(path))
            name = self.style(stem, suffix, device, self.copies)
            copy = os.path.join(os.path.dirname(path), name)
            self._keep(device, path, copy, content)
        # The server's file takes its place with the next download.
        base[path] = (-1, content)

    def _keep(self, device, path, copy, content):
        """Puts what was found into a conflict copy, with the times of the file if it is still there."""
        target = self.folders[device] / copy
        target.write_bytes(content)
        with contextlib.suppress(FileNotFoundError):
            shutil.copystat(self.folders[device] / path, target)

    def download(self, device, share=1.0):
        """Brings what others changed, in any order, if the device has not changed it too."""
        base = self.base[device]
        paths = list(self.hub)
        self.random.shuffle(paths)
        for path in paths:
            content, number = self.hub[path]
            known = base.get(path)
            if known and known[0] == number or self.random.random() > share:
                continue
            here = self._read(device, path)
            if here == content:
                base[path] = (number, content)
                continue
            if here is not None and (not known or known[1] != here):
                continue
            self._put(device, path, content)
            base[path] = (number, content)

    def _put(self, device, path, content):
        target = self.folders[device] / path
        if content is None:
            target.unlink(missing_ok=True)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if self.in_place and target.exists():
            with open(target, "r+b") as file:
                file.write(content)
                file.truncate()
            return
        staging = target.with_name(f".{target.name}.service")
        staging.write_bytes(content)
        os.replace(staging, target)

    def is_quiet(self):
        """Whether there is nothing to carry."""
        for device in self.folders:
            base = self.base[device]
            here = {path for path in self.files(device) if not self._skips(path)}
            if any(path not in base or base[path][1] != self._read(device, path) for path in here):
                return False
            if any(content is not None and (path not in base or base[path][0] != number)
                   for path, (content, number) in self.hub.items()):
                return False
        return True

"""Syncthing daemons that know nobody but each other."""

import os
import signal
import socket
import subprocess
import time
import urllib.request
import json
import xml.etree.ElementTree as tree

KEY = "k" * 32
OPTIONS = {
    "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false",
    "natEnabled": "false", "urAccepted": "-1", "crashReportingEnabled": "false",
    "autoUpgradeIntervalH": "0", "startBrowser": "false", "reconnectionIntervalS": "2",
    "stunKeepaliveStartS": "0", "stunServer": "",
}


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Syncthing:
    """Keeps the folders of some devices in step; `max_conflicts` is the folder's setting."""

    name = "syncthing"

    def __init__(self, root, devices, exclusions, max_conflicts=10, delay=1):
        self.root, self.folders = root, [device.folder for device in devices]
        self.delay, self.max_conflicts = delay, max_conflicts
        self.homes = [root / f"syncthing-{device.name}" for device in devices]
        self.environment = dict(os.environ, HOME=str(root), STNODEFAULTFOLDER="1", STNOUPGRADE="1")
        # One process a daemon, without a second one that watches over it and outlives a kill.
        self.environment["STMONITORED"] = "yes"
        self.numbers = range(len(devices))
        ports = free_ports(2 * len(devices))
        self.listen, self.gui = ports[:len(devices)], ports[len(devices):]
        self.daemons = [None for _ in devices]
        # Each kill hits the next one; which is first comes from the seed.
        self.victim = devices[0].seed % len(devices)
        for folder in self.folders:
            (folder / ".stignore").write_text("\n".join(exclusions) + "\n")
        for home in self.homes:
            home.mkdir(parents=True)
            self.tool("generate", "--home", home, "--no-default-folder")
        self.ids = [self.tool("--device-id", "--home", home) for home in self.homes]
        for number in self.numbers:
            self.configure(number)

    @staticmethod
    def version():
        done = subprocess.run(["syncthing", "--version"], capture_output=True, text=True)
        return done.stdout.split()[1]

    @staticmethod
    def owns(name):
        first = name.split("/")[0]
        return first in (".stfolder", ".stignore", ".stversions") or ".syncthing." in name

    def tool(self, *words):
        done = subprocess.run(
            ["syncthing", *map(str, words)], env=self.environment, capture_output=True, text=True,
            check=True)
        return done.stdout.strip()

    def configure(self, number):
        path = self.homes[number] / "config.xml"
        document = tree.parse(path)
        root = document.getroot()
        for element in [e for e in root if e.tag in ("device", "folder")]:
            root.remove(element)
        folder = tree.SubElement(root, "folder", {
            "id": "f", "label": "f", "path": str(self.folders[number]), "type": "sendreceive",
            "rescanIntervalS": "3600", "fsWatcherEnabled": "true",
            "fsWatcherDelayS": str(self.delay)})
        tree.SubElement(folder, "maxConflicts").text = str(self.max_conflicts)
        for other in self.numbers:
            device = tree.SubElement(root, "device", {
                "id": self.ids[other], "name": str(other), "compression": "never"})
            tree.SubElement(device, "address").text = f"tcp://127.0.0.1:{self.listen[other]}"
            tree.SubElement(folder, "device", {"id": self.ids[other]})
        options = root.find("options")
        for name, value in dict(
                OPTIONS, listenAddress=f"tcp://127.0.0.1:{self.listen[number]}").items():
            for element in options.findall(name):
                options.remove(element)
            tree.SubElement(options, name).text = value
        gui = root.find("gui")
        gui.find("address").text = f"127.0.0.1:{self.gui[number]}"
        key = gui.find("apikey")
        (tree.SubElement(gui, "apikey") if key is None else key).text = KEY
        document.write(path)

    # Running

    def start(self):
        for number in self.numbers:
            self.launch(number)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if all(self.is_connected(number) for number in self.numbers):
                    return
            except (OSError, KeyError):
                pass
            time.sleep(0.2)
        raise RuntimeError("the daemons did not find each other")

    def is_connected(self, number):
        connections = self.ask(number, "system/connections")["connections"]
        return all(connections[self.ids[other]]["connected"] for other in self.numbers if other != number)

    def launch(self, number):
        with open(self.root / f"syncthing-{number}.log", "ab") as log:
            self.daemons[number] = subprocess.Popen(
                ["syncthing", "serve", "--home", self.homes[number], "--no-browser",
                 "--no-restart"], env=self.environment, stdout=log, stderr=log)

    def ask(self, number, path, method="GET"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gui[number]}/rest/{path}", headers={"X-API-Key": KEY},
            method=method)
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.loads(answer.read() or b"null")

    def tell(self, path, number=0):
        """Asks until the daemon answers: it may just have been started."""
        deadline = time.monotonic() + 20
        while True:
            try:
                return self.ask(number, path, "POST")
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def pause(self, number=0):
        """Takes a device off the network."""
        self.tell("system/pause", number)

    def resume(self, number=0):
        self.tell("system/resume", number)

    def kill(self):
        """kill -9 of one device's daemon in the midst of things, in turn; it comes back by `revive`."""
        self.victim = (self.victim + 1) % len(self.daemons)
        self.end(self.daemons[self.victim])

    @staticmethod
    def end(daemon):
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()

    def revive(self):
        self.launch(self.victim)

    def is_idle(self):
        try:
            states = [self.ask(number, "db/status?folder=f") for number in self.numbers]
            for number, state in enumerate(states):
                # A failed pull is tried again after a minute, or after the next scan.
                if state["state"] == "idle" and state["needTotalItems"] > 0:
                    self.ask(number, "db/scan?folder=f", "POST")
        except OSError:
            return False
        return all(s["state"] == "idle" and s["needTotalItems"] == 0 for s in states)

    def conflict_copies(self, stem):
        """The conflict copies of a file that the daemons have made since they started, also those that are gone."""
        events = [
            event for number in self.numbers
            for event in self.ask(number, "events/disk?since=0&limit=1000&timeout=1") or []]
        paths = {event["data"].get("path", "") for event in events}
        return {path for path in paths if path.split("/")[-1].startswith(f"{stem}.sync-conflict-")}

    def stop(self):
        for daemon in self.daemons:
            if daemon and daemon.poll() is None:
                self.end(daemon)

"""Servers of storage on this machine, for rclone: WebDAV by rclone itself, and S3 by moto."""

import pathlib
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
MOTO = "moto[server]==5.2.5"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """A program that listens on a port of this machine until it is stopped."""

    def __init__(self, root):
        self.root, self.port, self.process = root, free_port(), None

    def start(self, environment):
        """Starts it, and gives the remote of rclone that leads to it."""
        with open(self.root / "server.log", "wb") as log:
            self.process = subprocess.Popen(
                self.words(), env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self.remote(environment)
            except OSError:
                time.sleep(0.1)
        raise TimeoutError((self.root / "server.log").read_text())

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=30)


class WebDAV(Server):
    def words(self):
        hub = self.root / "hub"
        hub.mkdir()
        return ["rclone", "serve", "webdav", str(hub), "--addr", f"127.0.0.1:{self.port}"]

    def remote(self, environment):
        # Without a vendor rclone says that the server keeps no times, and bisync refuses it.
        return f":webdav,url='http://127.0.0.1:{self.port}',vendor=owncloud:"


class S3(Server):
    @staticmethod
    def install():
        """moto from PyPI, in a folder of its own."""
        venv = ROOT / ".build" / "services" / "venv"
        done = venv / "done"
        if not done.exists() or done.read_text() != MOTO:
            subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
            subprocess.run([venv / "bin" / "pip", "install", "--quiet", MOTO], check=True)
            done.write_text(MOTO)
        return venv / "bin" / "moto_server"

    def words(self):
        return [str(self.install()), "-H", "127.0.0.1", "-p", str(self.port)]

    def remote(self, environment):
        remote = (
            ":s3,provider=Other,access_key_id=x,secret_access_key=y,region=us-east-1,force_path_style=true,"
            f"endpoint='http://127.0.0.1:{self.port}':bucket")
        subprocess.run(["rclone", "mkdir", remote], env=environment, check=True, capture_output=True)
        return f"{remote}/folder"

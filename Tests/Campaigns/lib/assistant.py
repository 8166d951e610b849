"""A store for an assistant to work on, and a conversation with `openwo mcp` in plain JSON lines."""

import json
import os
import sqlite3
import subprocess

STAMP = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Store:
    """A store of its own, with its state folder."""

    def __init__(self, folder, openwo, sql):
        self.folder, self.openwo_path = folder, openwo
        (folder / "Training").mkdir(parents=True)
        self.database = folder / "Training" / "diary.db"
        self.environment = dict(os.environ, OPENWO_STATE_DIR=str(folder / "state"), OPENWO_DEVICE_NAME="laptop")
        with sqlite3.connect(self.database) as connection:
            connection.executescript(sql)
        connection.close()
        self.run("init", "--quiet")

    def words(self, verb, *more):
        return [self.openwo_path, verb, str(self.database), *more]

    def run(self, verb, *more, limit=60):
        return subprocess.run(
            self.words(verb, *more), env=self.environment, capture_output=True, text=True, timeout=limit,
            stdin=subprocess.DEVNULL)

    def start(self, *more):
        return subprocess.Popen(
            self.words("mcp", *more), env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def ask(self, sql):
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as connection:
            return connection.execute(sql).fetchall()


def message(number, method, params=None):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def call(number, tool, arguments=None, **meta):
    return message(number, "tools/call", {"name": tool, "arguments": arguments or {}, **({"_meta": meta} if meta else {})})


def converse(store, lines, *more, limit=120):
    """Sends bytes or messages, and gives the status, the answers and what was said on standard error."""
    process = store.start(*more)
    sent = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    output, remarks = process.communicate(sent, timeout=limit)
    return process.returncode, [json.loads(line) for line in output.splitlines()], remarks.decode(errors="replace")

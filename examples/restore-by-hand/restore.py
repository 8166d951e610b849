#!/usr/bin/env python3
"""Restores a version from an openwo folder with nothing but Python; docs/FORMAT.md explains every step.

usage: restore.py DATABASE.openwo/versions ID-OR-ITS-BEGINNING COPY.sqlite"""
import hashlib, json, os, struct, sys, zlib

def number(data, at):  # seven bits a byte, the lowest first
    value = shift = 0
    while True:
        value, shift, at = value | (data[at] & 127) << shift, shift + 7, at + 1
        if data[at - 1] < 128: return value, at

def rebuild(steps, at, old, size):  # a page: new bytes, then bytes of the old page, in turn
    page = b""
    while True:
        count, at = number(steps, at)
        page, at = page + steps[at:at + count], at + count
        if len(page) == size: return page, at
        (count, at), start = number(steps, at), len(page)
        step, at = number(steps, at)
        start += -(step >> 1) - 1 if step & 1 else step >> 1
        page += old[start:start + count]
        if len(page) == size: return page, at

def content(wanted):  # the database that has this content hash
    kind, path, base = min(f for h, f in files if h["content"] == wanted and h["payload"] != "same")
    payload = open(path, "rb").read().partition(b"\n")[2]
    if kind == "full": return payload
    old, at, page = content(base), 28, 0
    magic, size, old_size, new_size = struct.unpack("<8sIqq", payload[:at])
    new = bytearray(old[:new_size].ljust(new_size, b"\0"))
    while payload[at]:
        (count, at), pages = number(payload, at), []
        for _ in range(count):
            step, at = number(payload, at)
            pages.append(page := page + step)
        length, at = number(payload, at)
        steps, at, place = zlib.decompress(payload[at:at + length]), at + length, 0
        for p in pages:
            start, end = (p - 1) * size, min(p * size, new_size)
            new[start:end], place = rebuild(steps, place, old[start:p * size], end - start)
    return bytes(new)

if len(sys.argv) != 4: sys.exit(__doc__)
folder, wanted, copy = sys.argv[1:]
paths = [os.path.join(folder, n) for n in os.listdir(folder) if n.endswith((".full", ".pages", ".same"))]
headers = [(json.loads(open(p, "rb").readline()), p) for p in paths]
files = [(h, (h["payload"], p, h.get("base"))) for h, p in headers]
version = next((h for h, _ in headers if h["id"].startswith(wanted)), None)
if not version: sys.exit(f"no version in {folder} has an id that begins with {wanted}")
database = content(version["content"])
blocks = (database[i:i + 65536] for i in range(0, len(database), 65536))
tree = hashlib.sha256(b"".join(hashlib.sha256(block).digest() for block in blocks)).hexdigest()
assert tree == version["content"], "the bytes are not those that were stored"
open(copy, "xb").write(database)

"""Version files as the format's specification says, so that they can be made wrong in one way at a time."""

import hashlib
import json


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def tree_hash(content):
    blocks = [content[at:at + 65536] for at in range(0, len(content), 65536)]
    return hashlib.sha256(b"".join(hashlib.sha256(block).digest() for block in blocks)).hexdigest()


def number(value):
    """Seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def header(content, parents=(), at="2026-11-21T07:43:08.1230000Z", device="0123456789ab", name="desk", **more):
    """The fields of a version; given values replace the right ones."""
    fields = dict(
        format=1, parents=sorted(parents), device=device, deviceName=name, at=at, content=tree_hash(content),
        bytes=len(content), pageSize=4096, userVersion=0, applicationID=0, reason="write")
    fields.update(more)
    return {key: value for key, value in fields.items() if value is not None}


def version_id(fields):
    return hashlib.sha256(canonical(fields)).hexdigest()


def version_named(name):
    """The id that a version file's name tells."""
    return name.rsplit("-", 1)[1].split(".")[0]


def version_file(fields, payload="full", body=b"", base=None):
    """A name and the bytes of a version whose id fits its fields, right or wrong."""
    identity = version_id(fields)
    stored = dict(fields, id=identity, payload=payload)
    if base is not None:
        stored["base"] = base
    time = str(fields["at"]).replace("-", "").replace(":", "")
    return f"{time}-{fields['device']}-{identity}.{payload}", canonical(stored) + b"\n" + body


def pages(units, page_size=4096, old=0, new=0, magic=b"owpages\x01", end=b"\0"):
    """A payload `pages` of units, each (page steps, packed bytes)."""
    out = bytearray(magic + page_size.to_bytes(4, "little") + old.to_bytes(8, "little") + new.to_bytes(8, "little"))
    for steps, packed in units:
        out += number(len(steps)) + b"".join(map(number, steps)) + number(len(packed)) + packed
    return bytes(out + end)

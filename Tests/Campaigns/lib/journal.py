"""Rollback journals as somebody else could have written them; see https://sqlite.org/fileformat2.html#the_rollback_journal."""

import struct

MAGIC = bytes.fromhex("d9d505f920a163d7")


def journal(pages=(), page_count=2, page_size=4096, sector=512, count=None, super_journal=None):
    out = MAGIC + struct.pack(">IIIII", len(pages) if count is None else count, 7, page_count, sector, page_size)
    out = out.ljust(max(sector, 28) if sector < 1 << 20 else 512, b"\0")
    for page, content in pages:
        checksum = (7 + sum(content[at] for at in range(page_size - 200, 0, -200))) & 0xFFFFFFFF
        out += struct.pack(">I", page) + content + struct.pack(">I", checksum)
    if super_journal is not None:
        checksum = sum(byte if byte < 128 else byte - 256 for byte in super_journal)
        out += struct.pack(">I", 0x40000000 // page_size + 1) + super_journal
        out += struct.pack(">Ii", len(super_journal), checksum) + MAGIC
    return out

"""Reads back what openwo prints: values in JSON and CSV, as the oracle's cells."""

import json
import struct

from command import Fault

ENCODINGS = {"UTF-8": "utf-8", "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}


def document(output):
    """A JSON document; twice the same member in an object is a fault."""
    def members(pairs):
        if len({name for name, _ in pairs}) != len(pairs):
            raise Fault("json", f"a member twice: {pairs}")
        return dict(pairs)
    try:
        return json.loads(output.decode("utf-8"), object_pairs_hook=members)
    except ValueError as error:
        raise Fault("json", f"{error}: {output[:200]!r}")


def from_json(value, encoding):
    """The cell that a value in JSON is."""
    if value is None:
        return "null", None
    if isinstance(value, bool):
        raise Fault("json", "a truth value in a row")
    if isinstance(value, int):
        return "integer", value
    if isinstance(value, float):
        return "real", struct.pack(">d", value)
    if isinstance(value, str):
        return "text", value.encode(ENCODINGS[encoding], "surrogatepass")
    ((kind, text),) = value.items()
    if kind == "real":
        return "real", struct.pack(">d", float(text))
    if kind == "bytes":
        return "text", stored_bytes(text, encoding)
    if kind != "blob":
        raise Fault("json", f"an object {value}")
    return "blob", bytes.fromhex(text)


def stored_bytes(digits, encoding):
    """What is stored of a text that is not valid: its bytes are told as UTF-8 has them, half a pair of UTF-16 as three."""
    found = bytes.fromhex(digits)
    if encoding == "UTF-8":
        return found
    return found.decode("utf-8", "surrogatepass").encode(ENCODINGS[encoding], "surrogatepass")


def csv_records(text):
    """The records of a CSV document by RFC 4180; each field with whether it was in quotation marks."""
    records, record, at = [], [], 0
    while at < len(text):
        if text[at] == '"':
            field, at = "", at + 1
            while True:
                end = text.index('"', at)
                field += text[at:end]
                at = end + 1
                if text[at] != '"':
                    break
                field += '"'
                at += 1
            record.append((field, True))
        else:
            ends = [place for place in (text.find(",", at), text.find("\r\n", at)) if place >= 0]
            if not ends:
                raise Fault("csv", f"a line does not end: {text[at:at + 80]!r}")
            field, at = text[at:min(ends)], min(ends)
            record.append((field, False))
        if text[at] == ",":
            at += 1
            if text[at:at + 2] != "\r\n":
                continue
            record.append(("", False))
        if text[at:at + 2] != "\r\n":
            raise Fault("csv", f"after a field: {text[at:at + 20]!r}")
        records.append(record)
        record, at = [], at + 2
    return records


def from_csv(field, is_quoted, encoding):
    """The cell that a field of a CSV document is."""
    if is_quoted:
        return "text", field.encode(ENCODINGS[encoding])
    if field == "":
        return "null", None
    if field.lower().startswith("x'") and field.endswith("'"):
        return "blob", bytes.fromhex(field[2:-1])
    if field.startswith("CAST(x'"):
        return "text", stored_bytes(field[7:field.index("'", 7)], encoding)
    try:
        return "integer", int(field) if field.lstrip("-").isascii() and field.lstrip("-").isdigit() else int("no")
    except ValueError:
        pass
    try:
        if field.isascii() and field[-1:].isdigit() and "_" not in field:
            return "real", struct.pack(">d", float(field.replace("9e999", "inf")))
    except ValueError:
        pass
    return "text", field.encode(ENCODINGS[encoding])

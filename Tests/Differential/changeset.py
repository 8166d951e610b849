"""What SQLite's session extension says of two databases, asked of the system's library."""

import ctypes
import ctypes.util
import struct

INSERT, DELETE, UPDATE = 18, 9, 23
ROW, OPEN_READ_ONLY = 100, 1


def library():
    """The system's SQLite, if it has the extension; otherwise None."""
    name = ctypes.util.find_library("sqlite3")
    try:
        found = ctypes.CDLL(name)
    except OSError:
        return None
    if not hasattr(found, "sqlite3session_diff"):
        return None
    found.sqlite3_value_blob.restype = ctypes.c_void_p
    found.sqlite3_value_int64.restype = ctypes.c_int64
    found.sqlite3_value_double.restype = ctypes.c_double
    for function in ("blob", "int64", "double", "bytes", "type"):
        getattr(found, f"sqlite3_value_{function}").argtypes = [ctypes.c_void_p]
    return found


SQLITE = library()


class Unfit(Exception):
    """The extension cannot compare these tables."""


def check(result):
    if result:
        raise Unfit(result)


def cell(value):
    """A value of a change as the oracle has cells, its text in UTF-8; None for a column that the change leaves alone."""
    if not value:
        return None
    kind = SQLITE.sqlite3_value_type(value)
    if kind == 1:
        return "integer", SQLITE.sqlite3_value_int64(value)
    if kind == 2:
        return "real", struct.pack(">d", SQLITE.sqlite3_value_double(value))
    if kind == 5:
        return "null", None
    begin, size = SQLITE.sqlite3_value_blob(value), SQLITE.sqlite3_value_bytes(value)
    return ("text" if kind == 3 else "blob"), ctypes.string_at(begin, size) if size else b""


def changes(one, other, table):
    """The changes of one table from one database to another: (kind, cells before, cells after), those of an update with None between."""
    database = ctypes.c_void_p()
    session, buffer, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
    iterator = ctypes.c_void_p()
    name = table.encode("utf-8", "surrogateescape")
    try:
        check(SQLITE.sqlite3_open_v2(bytes(other), ctypes.byref(database), OPEN_READ_ONLY, None))
        attach = b"ATTACH '" + bytes(one).replace(b"'", b"''") + b"' AS first"
        check(SQLITE.sqlite3_exec(database, attach, None, None, None))
        check(SQLITE.sqlite3session_create(database, b"main", ctypes.byref(session)))
        check(SQLITE.sqlite3session_attach(session, name))
        check(SQLITE.sqlite3session_diff(session, b"first", name, None))
        check(SQLITE.sqlite3session_changeset(session, ctypes.byref(size), ctypes.byref(buffer)))
        check(SQLITE.sqlite3changeset_start(ctypes.byref(iterator), size, buffer))
        found = []
        while SQLITE.sqlite3changeset_next(iterator) == ROW:
            found.append(change(iterator))
        return found
    finally:
        if iterator:
            SQLITE.sqlite3changeset_finalize(iterator)
        SQLITE.sqlite3_free(buffer)
        if session:
            SQLITE.sqlite3session_delete(session)
        SQLITE.sqlite3_close(database)


def change(iterator):
    name, columns, kind, indirect = ctypes.c_char_p(), ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    check(SQLITE.sqlite3changeset_op(iterator, *map(ctypes.byref, (name, columns, kind, indirect))))
    def cells(ask):
        values = []
        for column in range(columns.value):
            value = ctypes.c_void_p()
            check(ask(iterator, column, ctypes.byref(value)))
            values.append(cell(value.value))
        return tuple(values)
    before = None if kind.value == INSERT else cells(SQLITE.sqlite3changeset_old)
    after = None if kind.value == DELETE else cells(SQLITE.sqlite3changeset_new)
    return {INSERT: "inserted", DELETE: "deleted", UPDATE: "updated"}[kind.value], before, after

"""Makes a broken case smaller: leaves out statements as long as the same kind of fault comes."""

import shutil


def smaller(statements, kind_of, folder):
    """The statements of a case, nested in lists, without those that the fault does not need."""
    def flat(lists):
        return [(path, text) for path, text in walk(lists)]

    def walk(lists, path=()):
        for index, one in enumerate(lists):
            if isinstance(one, list):
                yield from walk(one, (*path, index))
            else:
                yield (*path, index), one

    def without(lists, gone, path=()):
        return [without(one, gone, (*path, index)) if isinstance(one, list) else one
                for index, one in enumerate(lists) if isinstance(one, list) or (*path, index) not in gone]

    def fault_of(lists):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return kind_of(lists)

    wanted = fault_of(statements)
    size = max(1, len(flat(statements)) // 2)
    while wanted and size:
        at = 0
        while at < len(flat(statements)):
            gone = {path for path, _ in flat(statements)[at:at + size]}
            tried = without(statements, gone)
            if fault_of(tried) == wanted:
                statements = tried
            else:
                at += size
        size //= 2
    return statements

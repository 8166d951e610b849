"""Small bugs in Swift source: a comparison or a sign turned around, a condition or a statement left out."""

import dataclasses
import pathlib
import random
import re

# What a bug makes of a word; each word between spaces where it has any.
SWAPS = [
    (" && ", " || "), (" || ", " && "), (" == ", " != "), (" != ", " == "), (" < ", " <= "), (" <= ", " < "),
    (" > ", " >= "), (" >= ", " > "), (" + 1", " + 2"), (" - 1", ""), (".min", ".max"), (".max", ".min"),
    (".first", ".last"), (".last", ".first"), (".allSatisfy {", ".contains {"), (".contains {", ".allSatisfy {"),
    (".union(", ".intersection("), (".subtracting(", ".union("),
]
LITERAL = re.compile(r"(?<![\w.])(true|false)(?!\w)")
NEGATION = re.compile(r"(?<![\w!)])!(?=[\w$(])")
CONDITION = re.compile(r"(\s*)(guard|if) (?!let |case |var |#)(.*?)( else)? \{(.*)")
STATEMENT = re.compile(r"\s*((try |await )*[\w.?]+\(.*\)|[\w.?]+ [-+]?= .*)")
DECLARATION = re.compile(r"\s*(//|@|import |(\w+ )*(struct|enum|class|extension|func|protocol|init|typealias)\b)")
# A line that continues in the next one, or continues the one before.
OPEN_END = (",", "(", "=", "return", "&&", "||", " in", "{", "??", "?", ":")
OPEN_START = (".", "?", ":", "&&", "||", "??", "+")


@dataclasses.dataclass
class Bug:
    path: pathlib.Path
    number: int
    line: str
    changed: str

    def plant(self, text):
        lines = text.split("\n")
        lines[self.number] = self.changed
        return "\n".join(lines)

    def __str__(self):
        return f"{self.path.name}:{self.number + 1}: {self.line.strip()}  ->  {self.changed.strip() or 'nothing'}"


def bugs(root, files, seed, count=None):
    """The bugs of some files, in an order that the seed decides; all, or so many."""
    found = []
    for file in files:
        lines = (root / file).read_text().split("\n")
        for number, line in enumerate(lines):
            is_whole = (
                not lines[number - 1].strip().endswith(OPEN_END)
                and not "".join(lines[number + 1:number + 2]).strip().startswith(OPEN_START))
            found += [Bug(root / file, number, line, changed) for changed in changes(line, is_whole)]
    random.Random(seed).shuffle(found)
    return found[:count]


def changes(line, is_whole):
    """What bugs make of a line; `is_whole` where it is no part of a statement of several lines."""
    if DECLARATION.match(line) or line.strip().startswith("case ") and not line.strip().startswith("case ."):
        return
    # Nothing is changed within a text.
    code = re.sub(r'"[^"]*"', lambda text: " " * len(text.group()), line)
    for word, other in SWAPS:
        for place in re.finditer(re.escape(word), code):
            yield line[:place.start()] + other + line[place.end():]
    for place in LITERAL.finditer(code):
        yield line[:place.start()] + ("false" if place.group() == "true" else "true") + line[place.end():]
    for place in NEGATION.finditer(code):
        yield line[:place.start()] + line[place.end():]
    condition = CONDITION.fullmatch(line)
    if condition and " let " not in condition.group(3) and " case " not in condition.group(3):
        indent, word, _, _, rest = condition.groups()
        if word == "guard":
            yield f"{indent}guard true else {{{rest}"
        else:
            yield f"{indent}if false {{{rest}"
            yield f"{indent}if true {{{rest}"
    if is_whole and STATEMENT.fullmatch(line) and all(code.count(a) == code.count(b) for a, b in ("()", "{}")):
        yield ""

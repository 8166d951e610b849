"""Values as SQL writes them, the ordinary and the odd."""

WORDS = ["", "a", "A", "a ", "ab", "Ä", "ä", "Straße", "日本語", "か\u3099", "0", "007", "1e3", "NULL", "x'00'", " ", "it's", "it'\u0301s", "\"\u0301", "␍\r",
         'say "so"', "a,b", "line\nbreak", "tab\t", "\r\n", "🙂", "\u200b", "\x1b[31m", "-1", "1.0", "inf", "9e999", "true",
         "{\"a\": 1}", "%", "\\", ";", "--", "/*"]
NUMBERS = [0, 1, -1, 2, 7, 127, 128, 255, 256, 32767, 32768, 65536, 2**31 - 1, 2**31, -2**31, 2**47, 2**53, 2**53 + 1,
           2**63 - 1, -2**63, -2**63 + 1]
REALS = ["0.0", "-0.0", "1.0", "0.1", "-2.5", "1e15", "1e16", "1e100", "1.7976931348623157e308", "4.9e-324", "9e999", "-9e999",
         "0.30000000000000004", "123456789012345680.0", "9007199254740993.0", "9.2233720368547758e18", "3.141592653589793"]


def text(string):
    """A text as SQL writes it; NUL and what is not UTF-8 by its bytes."""
    if "\0" in string:
        return f"CAST(x'{string.encode().hex()}' AS TEXT)"
    return "'" + string.replace("'", "''") + "'"


def blob(random):
    count = random.choice([0, 0, 1, 2, 3, 8, 16, 16, 100, 5000 if random.random() < 0.2 else 4])
    return f"x'{random.randbytes(count).hex() if random.random() < 0.8 else '00' * count}'"


def integer(random):
    return str(random.choice(NUMBERS) if random.random() < 0.4 else random.randint(-1000, 1000))


def real(random):
    return random.choice(REALS) if random.random() < 0.5 else repr(random.uniform(-1e6, 1e6))


def string(random, odd=True):
    chance = random.random()
    if odd and chance < 0.05:
        # Not UTF-8, or with a NUL in it.
        return f"CAST(x'{random.choice(['ff41', '41', '6100', '610062', 'c3', 'eda080', 'f4908080', '00', '00d8', 'd800', '0041'])}' AS TEXT)"
    if chance < 0.5:
        return text(random.choice(WORDS))
    if chance < 0.53:
        return text(random.choice(WORDS) * random.choice([300, 3000]) + "z")
    return text(f"w{random.randrange(10_000)}")


def value(random, type_name, odd=True):
    """A literal for a column of this type, now and then of another."""
    name = type_name.upper()
    if odd and random.random() < 0.08:
        name = random.choice(["INT", "REAL", "TEXT", "BLOB"])
    if random.random() < 0.1:
        return "NULL"
    if "INT" in name or "BOOL" in name:
        return integer(random)
    if "CHAR" in name or "TEXT" in name or "CLOB" in name or "DATE" in name:
        return string(random, odd)
    if "BLOB" in name:
        return blob(random)
    if "REAL" in name or "FLOA" in name or "DOUB" in name or "NUMERIC" in name or "DECIMAL" in name:
        return real(random)
    return random.choice([integer, real, string, blob])(random)

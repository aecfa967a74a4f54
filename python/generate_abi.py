#!/usr/bin/python3
"""Writes python/mgnn/_abi.py, the ctypes declarations of c/mgnn_c.h.

  generate_abi.py [--check]     --check: exit with 1 if the file is not what would be written
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NUMBERS = {"int32_t": "c_int32", "int64_t": "c_int64", "uint32_t": "c_uint32",
           "uint64_t": "c_uint64", "uint8_t": "c_uint8", "double": "c_double", "float": "c_float",
           "int": "c_int"}


def strip_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def ctype(text, callbacks):
    """The ctypes name of a C type; every pointer but a string is an address."""
    text = text.strip()
    if text.replace(" ", "") == "constchar*":
        return "c_char_p"
    if "*" in text:
        return "c_void_p"
    word = text.split()[-1]
    return word if word in callbacks else NUMBERS[word]


def split_declaration(text):
    """('const char*', 'name', None or array length) of one declaration."""
    match = re.fullmatch(r"(.*?[\s*])(\w+)(?:\[(\d+)\])?", text.strip())
    return match.group(1), match.group(2), match.group(3)


def struct_fields(body, callbacks):
    for line in filter(None, (part.strip() for part in body.split(";"))):
        first, *others = line.split(",")
        kind, name, length = split_declaration(first)
        for other in [(name, length), *((split_declaration("x " + o)[1:]) for o in others)]:
            c = ctype(kind, callbacks) if name != "text" else "c_void_p"  # without a NUL
            yield other[0], f"{c} * {other[1]}" if other[1] else c


def arguments(text, callbacks):
    if text.strip() == "void":
        return []
    return [ctype(re.fullmatch(r"(.*?)(\w+)", a.strip(), re.S).group(1), callbacks)
            for a in text.split(",")]


def generate(header):
    # Arguments that are functions go as addresses.
    text = re.sub(r"\w+ \(\*(\w+)\)\(void\* context\)(?=[,)])", r"void* \1", strip_comments(header))
    out = ['"""The declarations of c/mgnn_c.h; python/generate_abi.py writes this file."""',
           "from ctypes import (CFUNCTYPE, Structure, c_char_p, c_double, c_float, c_int, c_int32,",
           "                    c_int64, c_uint8, c_uint32, c_uint64, c_void_p)", ""]
    version = re.search(r"#define MGNN_ABI_VERSION (\d+)", text).group(1)
    out.append(f"ABI_VERSION = {version}")
    for body in re.findall(r"\benum\s*\{(.*?)\}", text, re.S):
        for name, value in re.findall(r"MGNN_(\w+)\s*=\s*(-?\d+)", body):
            out.append(f"{name} = {value}")
    callbacks = []
    for result, name, args in re.findall(
            r"typedef (\w+) \(\*mgnn_(\w+_function)\)\((.*?)\);", text, re.S):
        types = [ctype(split_declaration(" ".join(a.split()))[0], []) for a in args.split(",")]
        head = "None" if result == "void" else NUMBERS[result]
        out += ["", f"{name} = CFUNCTYPE(", f"    {', '.join([head, *types])})"]
        callbacks.append("mgnn_" + name)
    for body, name in re.findall(r"typedef struct mgnn_\w+ \{(.*?)\} mgnn_(\w+);", text, re.S):
        out += ["", "", f"class {name}(Structure):", "    _fields_ = ["]
        for field, kind in struct_fields(" ".join(body.split()), callbacks):
            out.append(f'        ("{field}", {kind.removeprefix("mgnn_")}),')
        out.append("    ]")
    out += ["", "", "FUNCTIONS = {"]
    for result, name, args in re.findall(r"MGNN_API (\w+) (mgnn_\w+)\((.*?)\);", text, re.S):
        head = "None" if result == "void" else NUMBERS[result]
        types = [head, *arguments(" ".join(args.split()), callbacks)]
        line = f'    "{name}": ({", ".join(types)},),'
        while len(line) > 100:
            cut = line.rindex(",", 0, 99) + 1
            out.append(line[:cut])
            line = " " * 8 + line[cut:].strip()
        out.append(line)
    return "\n".join([*out, "}", ""])


def main():
    path = ROOT / "python/mgnn/_abi.py"
    text = generate((ROOT / "c/mgnn_c.h").read_text())
    if "--check" in sys.argv:
        if path.read_text() != text:
            sys.exit("python/mgnn/_abi.py is not up to date: run python/generate_abi.py")
        return
    path.write_text(text)


if __name__ == "__main__":
    main()

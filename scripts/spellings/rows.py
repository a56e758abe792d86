"""A table of programs and their spellings in Markdown, a row at a time."""

HEAD = ("| program | spellings | alike | otherwise | problems | what differs |\n"
        "| --- | --- | --- | --- | --- | --- |\n")


def read_rows(text):
    """The rows of a table by their programs."""
    return {line.split("|")[1].strip(): line + "\n"
            for line in text.splitlines()[2:] if line.startswith("| ")}


def _times(measurements):
    """The least and largest time, and behind them the numbers of launches."""
    if not measurements:
        return ""
    times = sorted(f"{m.microseconds:.2f}" for m in measurements)
    times.sort(key=float)
    launches = sorted({m.launches for m in measurements})
    shown = times[0] if times[0] == times[-1] else f"{times[0]} to {times[-1]}"
    return f"{shown} ({', '.join(map(str, launches))})"


def is_unchanged(measurement):
    """Whether some subprogram stays as it is."""
    return "unchanged" in measurement.verdicts


def _name_unchanged(lines):
    """What the row says of spellings that stay as they are."""
    names = [name for name, measurement, *_ in lines if is_unchanged(measurement)]
    if not names:
        return ""
    if len(names) == len(lines):
        return "all unchanged"
    wrong = [name for name, measurement, *_, is_problem in lines
             if is_problem and is_unchanged(measurement)]
    right = [name for name in names if name not in wrong]
    return "; ".join(
        f"unchanged and {what}: " + ", ".join(f"`{name}`" for name in some)
        for what, some in (("as fast", right), ("a problem", wrong)) if some)


def write_row(program, lines, tolerance):
    """The row of a program. `lines` are (name, measurement, whether arguments are
    stored otherwise, what others' launches take so or None, whether it is a problem)
    of each spelling."""
    timed = [line for line in lines if not line[1].error]
    alike = [m for _, m, is_otherwise, *_ in timed if not is_otherwise]
    otherwise = [m for _, m, is_otherwise, *_ in timed if is_otherwise]
    note = ""
    if alike and otherwise:
        name, slowest, _, least, _ = max(
            (line for line in timed if line[2]), key=lambda line: line[1].microseconds)
        if slowest.microseconds > min(m.microseconds for m in alike) * (1 + tolerance):
            note = f"`{name}`: " + (
                f"whole lines {slowest.whole_lines:.2f}" if least is None else
                f"the launches of the others take {least.microseconds:.2f} so")
    note = "; ".join(part for part in (note, _name_unchanged(timed)) if part)
    problems = sum(is_problem for *_, is_problem in lines)
    return (f"| {program} | {len(lines)} | {_times(alike)} | {_times(otherwise)} | "
            f"{problems} | {note} |\n")

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
    problems = sum(is_problem for *_, is_problem in lines)
    return (f"| {program} | {len(lines)} | {_times(alike)} | {_times(otherwise)} | "
            f"{problems} | {note} |\n")

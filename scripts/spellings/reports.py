"""What is said of a program's spellings: a line for each of them, a row of the table,
and which of them are problems. `checker` is that of check-spellings.py, which knows what
launches take.
"""

import collections
import dataclasses

from mirage_cpu import find_functions
from rewrites import KINDS

from . import rows, table, transplant


@dataclasses.dataclass
class Found:
    """A spelling, what became of it, and how its arguments and results are stored;
    None if launches for them cannot be written for others."""
    spelling: table.Spelling
    measurement: object
    orders: tuple | None


@dataclasses.dataclass
class Least:
    """The fastest launches that were found for any spelling, with arguments as one of
    them has them, and those that the model alone says are faster."""
    microseconds: float
    launches: int
    by_model: tuple | None = None
    kernels: tuple | None = None


def find_least(checker, found, first, others, tolerance):
    """The Least of `found`, and of those within the tolerance of it that of the fewest
    launches; None if the launches of `first` cannot be written so."""
    if found.orders is None:
        return None
    entry = find_functions(found.spelling.text)[0]
    own = found.measurement

    def write(other):
        return other.orders and transplant.transplant_all(
            other.measurement.text, entry, other.orders, found.orders) or []

    if not any(checker.price(text, entry) for text in write(first)):
        return None
    priced, refused = [(own.microseconds, own.launches)], []
    for text in {text for other in others for text in write(other)}:
        cost = checker.price(text, entry)
        if cost is None:
            continue
        if (cost[0] * (1 + tolerance) < own.microseconds or
                cost[0] <= own.microseconds * (1 + tolerance)
                and cost[1] < own.launches):
            kernels = (checker.time_kernels(text, entry),
                       checker.time_kernels(own.text, entry))
            if None not in kernels and kernels[0] * (1 + tolerance) >= kernels[1]:
                refused.append((cost, kernels))
                continue
        priced.append(cost)
    least = min(priced)[0]
    least = Least(*min((cost for cost in priced if cost[0] <= least * (1 + tolerance)),
                       key=lambda cost: (cost[1], cost[0])))
    if refused:
        least.by_model, least.kernels = min(refused)
    return least


def are_unchanged(found, tolerance):
    """Whether all spellings stay as they are, and take the same time."""
    times = [f.measurement.microseconds for f in found]
    return (all(rows.is_unchanged(f.measurement) for f in found)
            and max(times, default=0) <= min(times, default=0) * (1 + tolerance))


def describe(name, found, best, least, tolerance, is_like_all=False):
    """(line, whether it is a problem) of one spelling. `least` is what others'
    launches take with its arguments; None if that is not known, or not asked.
    `is_like_all` says that no spelling is changed, and that all take the same."""
    spelling, measurement = found.spelling, found.measurement
    reasons = []
    is_otherwise = stores_otherwise(spelling)
    expected = ((best.microseconds, best.launches) if least is None
                else (least.microseconds, least.launches))
    time = (measurement.whole_lines if is_otherwise and least is None
            else measurement.microseconds)
    if measurement.error:
        reasons.append(measurement.error)
    else:
        if time > expected[0] * (1 + tolerance):
            reasons.append(f"{time / expected[0]:.2f} times the best")
        if spelling.differs and best.whole_lines > measurement.microseconds * (
                1 + tolerance):
            factor = best.whole_lines / measurement.microseconds
            reasons.append(f"the best of the others takes {factor:.2f} times as long")
        has_others = (measurement.launches != expected[1] if least is None else
                      measurement.launches > expected[1]
                      and expected[0] <= time * (1 + tolerance))
        if has_others:
            reasons.append(f"{expected[1]} launches in the best")
        # What stays as it is may not be slower than what others find, however its
        # arguments are stored.
        if (rows.is_unchanged(measurement) and not is_like_all
                and measurement.microseconds > expected[0] * (1 + tolerance)):
            reasons.append(f"unchanged, and others take {expected[0]:.2f} us")
        reasons += [verdict for verdict in measurement.verdicts
                    if verdict not in ("proved", "unchanged")]
    verdicts = ",".join(sorted(set(measurement.verdicts))) or "no search"
    line = (f"{name:24} {spelling.name:20} {measurement.microseconds:9.2f} us "
            f"{measurement.launches:3} launches {verdicts:12} "
            f"{'cut' if measurement.was_cut else '   '} {measurement.seconds:6.1f} s")
    if least is not None:
        line += f"  so stored {least.microseconds:.2f} us, {least.launches} launches"
        if least.by_model:
            line += (f" ({least.by_model[0]:.2f} us, {least.by_model[1]} by the model;"
                     f" {least.kernels[0]:.2f} for {least.kernels[1]:.2f} us by"
                     " instructions)")
    elif is_otherwise:
        line += f"  whole lines {measurement.whole_lines:.2f} us"
    if spelling.differs:
        line += f"  ({spelling.differs})"
    if reasons:
        line += "  PROBLEM: " + "; ".join(reasons)
    return line, bool(reasons)


def stores_otherwise(spelling):
    return bool(spelling.differs) or spelling.name.startswith(
        ("transposed", "stored", "masks-wide"))


@dataclasses.dataclass
class Report:
    """What is said of a program: lines, its row of the table, and its problems."""
    lines: list
    row: str | None
    problems: int


def report(checker, name, program, spellings, measurements):
    """The Report of a program. Times are compared with the best of those whose
    arguments are stored as they were written, and with what others' launches take with
    the same arguments."""
    tolerance = checker.options.tolerance
    found = [Found(s, m, s.stored and transplant.stored_orders(program, s.stored))
             for s, m in zip(spellings, measurements)]
    timed = [f for f in found if not f.measurement.error]
    first = min([f for f in timed if not stores_otherwise(f.spelling)] or timed,
                key=lambda f: (f.measurement.microseconds, f.measurement.launches),
                default=None)
    best = first and first.measurement
    # What was found for arguments that are stored otherwise may be faster here, too.
    has_faster = first and any(
        f.measurement.microseconds * (1 + tolerance) < best.microseconds for f in timed)
    is_like_all = are_unchanged(timed, tolerance)
    said, lines = [], []
    for one in found:
        least = None
        if one in timed and (
                has_faster and not stores_otherwise(one.spelling)
                or one.measurement.microseconds > best.microseconds * (1 + tolerance)
                or one.measurement.launches != best.launches):
            least = find_least(checker, one, first, timed, tolerance)
        line, is_problem = describe(name, one, best, least, tolerance,
                                    is_like_all)
        said.append(line)
        lines.append((one.spelling.name, one.measurement, stores_otherwise(one.spelling),
                      least, is_problem))
    problems = sum(is_problem for *_, is_problem in lines)
    if best is not None:
        largest = max(f.measurement.microseconds for f in timed)
        said.append(f"{name}: {len(spellings)} spellings, {best.microseconds:.2f} to "
                    f"{largest:.2f} us, {problems} problems")
    return Report(said, rows.write_row(name, lines, tolerance), problems)


def report_check(name, spellings, answers):
    counts = collections.Counter(kind for kind, _ in answers)
    said = []
    for spelling, (kind, answer) in zip(spellings, answers):
        if kind in ("undecided", "refused"):
            mark = "PROBLEM: " * (kind == "refused")
            said.append(f"{name:24} {spelling.name:20} {mark}{kind}: {answer}")
    said.append(f"{name}: {len(spellings)} spellings, " + ", ".join(
        f"{counts[kind]} {kind}" for kind in KINDS if counts[kind]))
    return Report(said, None, counts["refused"])

#!/usr/bin/env python3
"""Checks that what mirage-optimize finds does not depend on how a program is spelled.

  scripts/check-spellings.py
  scripts/check-spellings.py --programs lora_bs8,geglu,corpus/lora-linear-f16
  scripts/check-spellings.py --programs geglu --spellings written,linalg,transposed
  scripts/check-spellings.py --deadline 0 --together --sample 12 --table spellings.md
  scripts/check-spellings.py ... --table spellings.md --time-limit 540 --resume
  scripts/check-spellings.py --check
  scripts/check-spellings.py --list

Programs are those of benchmarks/programs.py with its attention modes, those of spellings/programs.py, and one
of each group of test/Corpus, which other exporters write as "exported:torch" and so
on. Each is written in other ways that compute the same
(spellings/): composite operators taken apart, operands exchanged, arguments stored
transposed, batch dimensions split, joined or moved, weights fused or sliced, scales,
casts and masks moved, linalg. A spelling that changes nothing is left out. Each goes
through --mirage-optimize, and the cost model says what the kernels cost that the lowering
makes of the result (--mirage-lower-to-launches). Assertions are taken as given. It is
a problem

  - if a spelling's time, or its number of launches, is not that of the fastest
    spelling of the program, within --tolerance. Where arguments are stored in
    another order, or masks in a wider type, tiles have other rows or more bytes. If
    its time is another one for that, the launches that were found for all other
    spellings are written for arguments that are stored like that (transplant.py),
    and the least of their times, which the line says ("so stored"), is what is
    compared: nothing may be found for another spelling that would be faster here, or
    take fewer launches and no longer. mirage-optimize decides among candidates and
    among tilings by the instructions of kernels as well, so that what is faster by
    the model alone is not: launches that take as long by these, or longer, are named
    ("by the model") and not compared. Where those of the best cannot be written so, as
    where a dimension is stored as two, it is the time that the cost model says with rows that
    are whole lines of the L2 cache, which wide accesses move ("whole lines",
    whole_line_microseconds). What another exporter wrote is stored otherwise if
    its arguments have other shapes, which its line says, and may not be faster by
    more than what the fastest one's lines take;
  - if what replaces a subprogram is not proved. A subprogram may be unchanged only
    where that takes what the others find, within --tolerance, however arguments are
    stored, or where all spellings are unchanged and take the same; the table says so;
  - if mirage-opt fails, or leaves something for which the model has no time.

"cut" stands at spellings whose search met its deadline: what these find depends on
the machine. With --check, spellings are not optimized but compared with the program
by --mirage-verify-equivalence: it is a problem if one is refused, and a line says
which stay undecided.

With --sample, no more than so many spellings of each program are looked at, of each
kind (table.KINDS) one before another one of any. With --together the spellings of a
program are functions of one module, so that those that are one graph when they are
raised are searched for once. --table writes a row for each program, as soon as it is
known, whichever is known first. After --time-limit, tools are killed, and programs that
are not finished have no row; --resume looks at those that a table has no row for, so
that a check may be run in slices. Programs of many operators are begun first: the
others fill the cores beside the last of them. --keep writes the texts, and what became
of them, to a folder.

mirage-opt is the only tool. A static one needs MIRAGE_STATIC_CHECKS, or the integer
programs of its layouts are not solved, and it has no pass for times by instructions.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

scripts = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [scripts, os.path.join(scripts, "..", "benchmarks")]
import programs as benchmarks
from mirage_cpu import ToolError, execute, find_functions
from rewrites import classify
from spellings import programs as written
from spellings import modules, rows, table, transplant
from spellings.reports import Report, report, report_check
from spellings.graph import NotApplicable
from spellings.kernel_text import print_kernel, read_kernel
from spellings.storage import Stored

BENCHMARKS = benchmarks.PROGRAMS | benchmarks.MODES
CORPUS = os.path.join(scripts, "..", "test", "Corpus")
# What tests or floats don't tell apart, and no law decides.
UNDECIDED = re.compile(r": unknown, .*(floats show no difference$|tests found no "
                       r"difference, but)|: unknown, outside Lax")
VERDICT = re.compile(r'mirage\.superoptimized = \{([^}]*)verdict = "(\w+)"')


def first_error(error):
    lines = str(error).splitlines()
    return next((line for line in lines if "error:" in line), lines[0])


@dataclasses.dataclass
class Measurement:
    """What became of one spelling; `error` is empty if it has a time."""
    microseconds: float = 0.0
    whole_lines: float = 0.0
    launches: int = 0
    verdicts: tuple = ()
    was_cut: bool = False
    seconds: float = 0.0
    error: str = ""
    # What was found.
    text: str = ""


def corpus_groups():
    """{name: {exporter: file}} of each group; the program that is spelled comes
    first, whatever exporter wrote it."""
    groups = {}
    for path in sorted(glob.glob(os.path.join(CORPUS, "*.mlir")), reverse=True):
        route, _, name = os.path.basename(path)[:-len(".mlir")].partition("-")
        if route != "tosa":
            groups.setdefault(f"corpus/{name}", {})[route] = path
    return dict(sorted(groups.items()))


def argument_shapes(text):
    """The shapes of the first function's arguments, without dimensions of size one,
    in no order."""
    head = re.search(r"func\.func [^@]*@\w+\((.*?)\)\s*(->|attributes|\{)", text, re.S)[1]
    shapes = []
    for dims in re.findall(r"tensor<([^>]*)>", head):
        *sizes, element = dims.split("x")
        shapes.append((*(size for size in sizes if size != "1"), element))
    return sorted(shapes)


def differences(first, second):
    """What arguments another exporter's program has in the place of the first one's;
    empty if they are the same."""
    own = collections.Counter(argument_shapes(first))
    other = collections.Counter(argument_shapes(second))
    def write(shapes):
        return ", ".join("x".join(shape) for shape in sorted(shapes.elements())) or "none"
    if own == other:
        return ""
    return f"arguments {write(other - own)} for {write(own - other)}"


def parse_list(text):
    return [name for name in text.split(",") if name]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=parse_list, metavar="NAME,...",
                        help="programs to check, all by default")
    parser.add_argument("--spellings", type=parse_list, metavar="NAME,...",
                        help="spellings to check, all by default")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="spellings of each program, at random, all by default")
    parser.add_argument("--seed", type=int, default=1,
                        help="which spellings --sample takes")
    parser.add_argument("--together", action="store_true",
                        help="optimize all spellings of a program in one module")
    parser.add_argument("--table", metavar="FILE",
                        help="write a table of programs in Markdown")
    parser.add_argument("--resume", action="store_true",
                        help="leave out programs that the table has, and keep their rows")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS",
                        help="for the whole check, none by default")
    parser.add_argument("--list", action="store_true",
                        help="print the names of programs and spellings")
    parser.add_argument("--check", action="store_true",
                        help="compare spellings with programs, optimize nothing")
    parser.add_argument("--keep", metavar="FOLDER",
                        help="write spellings and what became of them there")
    parser.add_argument("--tolerance", type=float, default=0.01,
                        help="the part of its time that a spelling may be slower")
    parser.add_argument("--deadline", type=float, default=20)
    parser.add_argument("--effort", type=int,
                        help="effort of a search, the pass's own by default")
    parser.add_argument("--chip", default="sm_90a")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--tools", default=os.path.join(
        scripts, "..", "build", "release", "bin"), help="folder of mirage-opt")
    options = parser.parse_args()
    if options.resume and not options.table:
        parser.error("--resume needs a --table to go on with")
    return options


class OutOfTime(Exception):
    """The time of the whole check is over."""


class Checker:
    def __init__(self, options):
        self.options = options
        self.opt = os.path.join(options.tools, "mirage-opt")
        self.groups = corpus_groups()
        self.prices, self.kernel_times = {}, {}
        self.end = options.time_limit and time.monotonic() + options.time_limit
        self.rows = {}
        if options.resume and os.path.exists(options.table):
            with open(options.table) as file:
                self.rows = rows.read_rows(file.read())
        if options.table:
            self.write_table()

    def write_table(self):
        """Writes all rows that are known, in the order of the programs."""
        with open(self.options.table, "w") as file:
            file.write(rows.HEAD + "".join(
                self.rows[name] for name in self.names() if name in self.rows))

    def add_row(self, name, row):
        self.rows[name] = row
        if self.options.table:
            self.write_table()

    def execute(self, command, text=""):
        """As `execute`, as long as there is time."""
        left = self.end and self.end - time.monotonic()
        if left is not None and left <= 0:
            raise OutOfTime
        try:
            return execute(command, text, left)
        except subprocess.TimeoutExpired:
            raise OutOfTime from None

    def names(self):
        return [*BENCHMARKS, *written.PROGRAMS, *self.groups]

    def get_weight(self, name):
        """About how many operators a program has, by which its search takes longer."""
        if name in written.PROGRAMS:
            text = print_kernel(written.build(name))
        elif name in BENCHMARKS:
            text = benchmarks.write(name)
        else:
            with open(next(iter(self.groups[name].values()))) as file:
                text = file.read()
        return text.count(" = ")

    def run_passes(self, text, passes):
        return self.execute([self.opt, *passes], text)

    def read(self, text, passes=()):
        return read_kernel(self.execute(
            [self.opt, *passes, "--mlir-print-op-generic",
             "--mlir-print-local-scope"], text))

    def spell(self, name):
        """(program, its spellings)."""
        chosen = self.options.spellings
        exported = None
        if name in written.PROGRAMS:
            program = written.build(name)
        elif name in BENCHMARKS:
            # Masks are written in linalg.
            program = self.read(benchmarks.write(name), [
                "--convert-linalg-to-mirage=remarks=false", "--canonicalize"])
        else:
            files = self.groups[name]
            with open(next(iter(files.values()))) as file:
                exported = file.read()
            program = self.read(exported, [
                "--convert-linalg-to-mirage=assume-assertions", "--canonicalize",
                "--cse"])
        spellings = table.spell_all(program, self.run_passes, chosen)
        if exported and (chosen is None or "exported" in chosen):
            spellings.insert(0, table.Spelling(
                "exported", exported, Stored(program, program.arguments)))
            if not self.options.check:
                spellings += self.other_exports(name, exported)
        if self.options.sample:
            spellings = table.sample(spellings, self.options.sample,
                                     f"{self.options.seed} {name}")
        return program, spellings

    def other_exports(self, name, exported):
        """What other exporters wrote. Their arguments are in orders of their own, so
        that they are not compared with the program by --check."""
        others = []
        for route, path in list(self.groups[name].items())[1:]:
            with open(path) as file:
                text = file.read()
            others.append(table.Spelling(f"exported:{route}", text, None,
                                         differences(exported, text)))
        return others

    # --- Equivalence ------------------------------------------------------------

    def compare(self, name, program, spelling):
        """(proved, equivalent, undecided or refused, answer)."""
        entry = find_functions(spelling.text)[0]
        copy = re.sub(rf"@{re.escape(entry)}\b", "@spelling", spelling.text)
        # The parts of a module in one.
        copy = re.sub(r"^module[^\n]*\{\n(.*)^\}", r"\1", copy, flags=re.M | re.S)
        maps = "\n".join(re.findall(r"^#map.*", copy, re.M))
        copy = re.sub(r"^#map.*\n", "", copy, flags=re.M)
        module = "\n".join([maps, print_kernel(program), copy,
                            table.print_wrapper(program, spelling, "spelling")])
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(module)
            file.flush()
            ran = subprocess.run(
                [self.opt, file.name, "-o", os.devnull,
                 "--convert-linalg-to-mirage=assume-assertions", "--canonicalize",
                 "--mirage-verify-equivalence=threads=1 check-floats=false"],
                capture_output=True, text=True)
        answers = [a for a in ran.stdout.splitlines()
                   if a.startswith("@spelling_restored")]
        self.keep(name, spelling, ".check.mlir", module)
        if not answers:
            return "refused", ran.stderr.strip()[-300:] or "no answer"
        kind = classify(answers[0])
        if kind == "refused" and UNDECIDED.search(answers[0]):
            kind = "undecided"
        return kind, answers[0]

    # --- Times ------------------------------------------------------------------

    def optimize(self, text):
        limit = ("" if self.options.effort is None
                 else f" effort={self.options.effort}")
        return self.execute(
            [self.opt, f"--mirage-optimize=threads=1 chip={self.options.chip} "
             f"deadline={self.options.deadline} assume-assertions{limit}",
             *["--mlir-print-local-scope"] * self.options.together], text)

    def measure(self, spelling):
        start = time.monotonic()
        try:
            optimized = self.optimize(spelling.text)
        except ToolError as error:
            return Measurement(error=first_error(error))
        return self.read_times(spelling, optimized, time.monotonic() - start)

    def measure_together(self, spellings):
        """As `measure`, of all spellings in one module. Each has an equal part of the
        seconds."""
        start = time.monotonic()
        try:
            joined = modules.join([self.run_passes(
                s.text, ["--mlir-print-local-scope"]) for s in spellings])
            optimized = joined and self.optimize(joined)
        except ToolError:
            # Which of them it is that fails.
            optimized = None
        if not optimized:
            return [self.measure(s) for s in spellings]
        seconds = (time.monotonic() - start) / len(spellings)
        entries = [find_functions(s.text)[0] for s in spellings]
        return [self.read_times(s, text, seconds) for s, text in
                zip(spellings, modules.split(optimized, entries))]

    def read_times(self, spelling, optimized, seconds):
        """What the cost model says of what became of a spelling."""
        try:
            costs = json.loads(self.execute(
                [self.opt, "--mirage-lower-to-launches", "--mirage-print-cost=json",
                 "-o", os.devnull], optimized))
        except (ToolError, ValueError) as error:
            return Measurement(error=first_error(error))
        entry = find_functions(spelling.text)[0]
        cost = next((c for c in costs if c["function"] == entry), None)
        if cost is None:
            return Measurement(error="the cost model says nothing", text=optimized)
        found = VERDICT.findall(optimized)
        # Operators of other dialects in the function cost something that the model
        # does not count.
        body = optimized.partition(f"@{entry}(")[2].partition("\n  }")[0]
        others = re.findall(r"= ((?:linalg|tensor|math|arith|scf|tosa)\.\w+)", body)
        error = f"'{others[0]}' is left" if others else ""
        return Measurement(
            cost["microseconds"], cost["whole_line_microseconds"],
            len(cost["kernels"]),
            tuple(verdict for _, verdict in found),
            any(re.search(r"\bcut\b", note) for note, _ in found), seconds,
            error, optimized)

    def price(self, text, entry):
        """(microseconds, launches) of launches that were written for arguments that are
        stored otherwise; None if the model has no time for them."""
        if text not in self.prices:
            self.prices[text] = self._price(text, entry)
        return self.prices[text]

    def _price(self, text, entry):
        try:
            costs = json.loads(self.execute(
                [self.opt, "--canonicalize", "--mirage-lower-to-launches",
                 "--mirage-print-cost=json", "-o", os.devnull], text))
        except (ToolError, ValueError):
            return None
        cost = next((c for c in costs if c["function"] == entry), None)
        if cost is None or cost["microseconds"] is None:
            return None
        return cost["microseconds"], len(cost["kernels"])

    def time_kernels(self, text, entry):
        """Microseconds by the instructions of kernels, which mirage-optimize compares
        besides; None if they cannot be counted."""
        if text not in self.kernel_times:
            try:
                said = self.execute([self.opt, "--canonicalize", "--test-kernel-times",
                                     "-o", os.devnull], text)
            except ToolError:
                said = ""
            time = re.search(rf"^@{re.escape(entry)}: ([0-9.]+) us$", said, re.M)
            self.kernel_times[text] = time and float(time[1])
        return self.kernel_times[text]

    def keep(self, name, spelling, suffix, text):
        if not self.options.keep:
            return
        os.makedirs(self.options.keep, exist_ok=True)
        stem = re.sub(r"\W+", "_", f"{name}_{spelling.name}")
        with open(os.path.join(self.options.keep, stem + suffix), "w") as file:
            file.write(text)

    def check_one(self, name, program, spelling):
        self.keep(name, spelling, ".mlir", spelling.text)
        if self.options.check:
            return self.compare(name, program, spelling)
        measurement = self.measure(spelling)
        self.keep(name, spelling, ".optimized.mlir", measurement.text)
        return measurement

    def check_together(self, name, spellings):
        for spelling in spellings:
            self.keep(name, spelling, ".mlir", spelling.text)
        measurements = self.measure_together(spellings)
        for spelling, measurement in zip(spellings, measurements):
            self.keep(name, spelling, ".optimized.mlir", measurement.text)
        return measurements


class Check:
    """The jobs of all programs, in one queue, so that no job waits for the last spelling
    of a program. What a program's last job finds is said as soon as it is known."""

    def __init__(self, checker, pool):
        self.checker, self.pool = checker, pool
        self.jobs = {}
        self.spellings = self.problems = 0
        self.unfinished = []

    def submit(self, then, job, *arguments):
        self.jobs[self.pool.submit(job, *arguments)] = then

    def run(self, names):
        for name in names:
            self.submit(lambda job, name=name: self.look(name, job),
                        self.checker.spell, name)
        while self.jobs:
            done, _ = concurrent.futures.wait(
                self.jobs, return_when=concurrent.futures.FIRST_COMPLETED)
            for job in done:
                self.jobs.pop(job)(job)

    def look(self, name, spelled):
        """Looks at what a program's spellings become."""
        try:
            program, spellings = spelled.result()
        except (NotApplicable, ToolError) as error:
            self.say(name, Report([f"{name}: PROBLEM: not spelled: {error}"], None, 1))
            return
        except OutOfTime:
            self.unfinished.append(name)
            return
        self.spellings += len(spellings)
        options = self.checker.options
        is_together = options.together and not options.check
        jobs = ([(self.checker.check_together, name, spellings)] if is_together else
                [(self.checker.check_one, name, program, s) for s in spellings])
        results = [None] * len(jobs)
        left = len(jobs)

        def keep(number, job):
            nonlocal left
            left -= 1
            try:
                results[number] = job.result()
            except OutOfTime:
                pass
            if left:
                return
            if None in results:
                self.unfinished.append(name)
                return
            answers = results[0] if is_together else results
            write = ((report_check, name, spellings, answers) if options.check else
                     (report, self.checker, name, program, spellings, answers))
            self.submit(lambda job: self.finish(name, job), *write)

        for number, job in enumerate(jobs):
            self.submit(lambda job, number=number: keep(number, job), *job)

    def finish(self, name, job):
        try:
            self.say(name, job.result())
        except OutOfTime:
            self.unfinished.append(name)

    def say(self, name, what):
        print("\n".join(what.lines), flush=True)
        if what.row:
            self.checker.add_row(name, what.row)
        self.problems += what.problems


def main():
    options = parse_arguments()
    checker = Checker(options)
    if options.list:
        print("programs:", *checker.names())
        print("spellings:", "exported", *table.NAMES)
        return 0
    names = options.programs or checker.names()
    if unknown := set(names) - set(checker.names()):
        sys.exit(f"error: there is no program {', '.join(sorted(unknown))}; "
                 "--list prints their names")
    known = {"exported", *table.NAMES}
    if unknown := {s for s in options.spellings or ()
                   if s.partition(":")[0] not in known}:
        sys.exit(f"error: there is no spelling {', '.join(sorted(unknown))}; "
                 "--list prints their names")
    if not options.programs:
        names.sort(key=checker.get_weight, reverse=True)
    names = [name for name in names if name not in checker.rows]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        check = Check(checker, pool)
        check.run(names)
    print(f"{len(names) - len(check.unfinished)} programs, {check.spellings} spellings, "
          f"{check.problems} problems")
    if check.unfinished:
        print(f"{len(check.unfinished)} programs were not finished in time:",
              ",".join(sorted(check.unfinished)))
    return bool(check.problems or check.unfinished)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        sys.exit(f"error: {error}")

#!/usr/bin/env python3
"""Holds the models of tilings against measured times.

    scripts/benchmark.sh tiling_device make OUT [--programs NAME,...] [--count N]
    benchmarks/tiling_device.py run OUT [--mirage-run PATH]
    benchmarks/tiling_device.py tune OUT [--mirage-opt PATH] [--programs NAME,...]
    benchmarks/tiling_device.py report|fit OUT

make     compiles at least --count (60) tilings of each of G1 to G4 and S1 to S4 by
         the general lowering: OUT/NAME/I holds PTX and manifest, OUT/candidates.json
         the models' times, equation 1's bytes, and whether the block graph fits.
         Needs no GPU. Tilings are drawn from what rules 1 and 2 leave, with tiles
         that divide; the models' choices are among them.
run      times every one of them on the GPU that OUT/times.json has not: OUT/times.json.
         Needs OUT, mirage-run and a driver (a static mirage-run can be carried to the
         machine).
tune     lets mirage-tile choose by measurement (measure=device) for each program, with
         every model as what selects: what was predicted, what it took, and what the
         model alone would have chosen. OUT/NAME.measurements.json holds all times:
         with it measure=recorded makes the same choice anywhere. Needs mirage-opt and
         a driver; another run measures nothing again.
report   correlation of models with times, the rank of each model's first choice, how
         often equation 1 decides rightly what fits; a scatter plot of each program
         as OUT/NAME.svg.
fit      clocks of a round of each kind of work, with which the model of the general
         lowering fits all times best, and what it is worth for each program with
         clocks fitted to the others.
"""
import argparse
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from common import BIN, run_pass, split
from programs import PROGRAMS, write

NAMES = [f"{kind}{i}" for kind in "GS" for i in range(1, 5)]
# Of sm_90a, as #mirage.target says: bytes of a block, MHz.
SHARED_MEMORY = 232448
MULTIPROCESSORS = 132
CLOCK = 1980
SLACK = 1.2
MODELS = ("mirage", "published", "general")


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def get_chosen(name):
    """The tilings that the models choose, as options of mirage-tile."""
    return {model: run_pass("mirage-tile", name, {"estimate": model, "measure": model})[0]["tiling"]
            for model in MODELS}  # fmt: skip


def draw_tilings(name):
    """All tilings in a random order that is the same every time."""
    _, m, n, k, h = PROGRAMS[name][1]
    expressions = ["mhnk", "mn(k,h)"] + (["mnhk"] if name[0] == "G" else [])
    divisors = [[t for t in range(16, d + 1, 16) if d % t == 0] for d in (m, k, n, h)]
    tilings = [f"expr={e} tiles=" + ",".join(f"{l}:{t}" for l, t in zip("mknh", tiles))
               for e in expressions for tiles in itertools.product(*divisors)]  # fmt: skip
    random.Random(name).shuffle(tilings)
    return tilings


def get_estimates(tiling):
    """Equation 1, all tiles in f16; and with sums in f32 beside their f16 copies, as the
    general lowering keeps them."""
    m, k, n, h = (int(t) for t in re.findall(r":(\d+)", tiling))
    loaded, computed = m * k + k * n + n * h, m * n + m * h
    return 2 * (loaded + computed), 2 * loaded + 6 * computed


def compile_tiling(name, path, tiling, folder, seen):
    """The tiling without loops of one iteration, and both models' times if the block
    graph fits; None if it was seen before."""
    with tempfile.TemporaryDirectory() as temporary:
        lowered = os.path.join(temporary, "lowered.mlir")
        tile = f"--mirage-tile=function={name} {tiling}"
        process = run([f"{BIN}/mirage-opt", path, tile, "--mirage-print-tiling",
                       *(f"--mirage-print-cost=json model={model}" for model in MODELS),
                       "--mirage-lower-to-nvvm", "-o", lowered])  # fmt: skip
        if process.returncode:
            if "launch_c6" not in process.stderr:
                sys.exit(f"{name} {tiling}:\n{process.stderr}")
            return {"tiling": tiling, "fits": False}
        found, costs = process.stdout.split("\n", 1)
        tiling = found.split(": ", 1)[1]
        if tiling in seen:
            return None
        seen.add(tiling)
        estimates, decoder = {}, json.JSONDecoder()
        for model in MODELS:
            (estimates[model],), end = decoder.raw_decode(costs)
            costs = costs[end:].lstrip()
        kernel = estimates["general"]["kernels"][0]
        run([f"{BIN}/mirage-translate", "--mirage-to-ptx", lowered, "-o", folder], check=True)
    return {"tiling": tiling, "fits": True, "work": kernel["general_work"],
            "blocks": kernel["blocks"], "waves": kernel["waves"],
            "launch": kernel["components"]["launch"],
            **{model: e["microseconds"] for model, e in estimates.items()}}  # fmt: skip


def make(out, names, count):
    candidates = {}
    for name in names:
        os.makedirs(f"{out}/{name}", exist_ok=True)
        path = f"{out}/{name}/program.mlir"
        with open(path, "w") as file:
            file.write(write(name))
        chosen = get_chosen(name)
        entries = candidates[name] = []
        made, seen = 0, set()
        for tiling in dict.fromkeys([*chosen.values(), *draw_tilings(name)]):
            if made >= count:
                break
            folder = f"{name}/{made}"
            entry = compile_tiling(name, path, tiling, f"{out}/{folder}", seen)
            if not entry:
                continue
            estimated, typed = get_estimates(tiling)
            entry |= {"estimated_bytes": estimated, "typed_bytes": typed}
            if entry["fits"]:
                entry["folder"] = folder
                made += 1
            entries.append(entry)
        print(f"{name}: {made} compiled, {len(entries) - made} do not fit", flush=True)
        if made < count:
            print(f"{name} has no {count} tilings that fit", file=sys.stderr)
    with open(f"{out}/candidates.json", "w") as file:
        json.dump(candidates, file, indent=1)


def measure(out, mirage_run):
    """One tiling of each program after the other, and all times so far at any moment:
    a run that is cut leaves some of each, and the next one measures the others."""
    candidates = json.load(open(f"{out}/candidates.json"))
    fitting = {name: [e["folder"] for e in entries if e["fits"]]
               for name, entries in candidates.items()}  # fmt: skip
    times = {}
    if os.path.exists(f"{out}/times.json"):
        times = json.load(open(f"{out}/times.json"))
    for row in itertools.zip_longest(*fitting.values()):
        for name, folder in zip(fitting, row):
            if not folder or folder in times:
                continue
            process = run([mirage_run, f"--kernels={out}/{folder}", f"--entry={name}",
                           "--device=cuda", "--time"], timeout=120)  # fmt: skip
            match = re.search(r"median_us=([0-9.]+)", process.stdout + process.stderr)
            if process.returncode or not match:
                print(f"{folder}: {process.stderr.strip()}", file=sys.stderr)
                continue
            times[folder] = float(match[1])
        with open(f"{out}/times.json", "w") as file:
            json.dump(times, file, indent=1)
        print(len(times), "timed", flush=True)


def tune(out, names, mirage_opt):
    os.makedirs(out, exist_ok=True)
    print("| program | selected by | measured tilings | chosen | predicted us | us "
          "| first choice of the model, us | seconds |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- |")  # fmt: skip
    for name in names:
        path, stats = f"{out}/{name}.mlir", f"{out}/{name}.stats.json"
        with open(path, "w") as file:
            file.write(write(name))
        for model in MODELS:
            options = (f"function={name} estimate={model} stats={stats} "
                       f"measurements={out}/{name}.measurements.json")  # fmt: skip
            outputs = []
            for measure in ("device", "recorded"):
                command = [mirage_opt, path, f"--mirage-tile={options} measure={measure}"]
                process = subprocess.run(command, stdout=subprocess.PIPE, text=True)
                if process.returncode:
                    sys.exit(f"{name}: measure={measure} failed")
                outputs.append(process.stdout)
                if measure == "device":
                    (entry,) = json.load(open(stats))
            if outputs[0] != outputs[1]:
                sys.exit(f"{name}: the file of measurements does not reproduce the choice")
            timed = [t for t in entry["measurements"] if "microseconds" in t]
            first = min(timed, key=lambda t: t["predicted_microseconds"])
            print(f"| {name} | {model} | {len(timed)} | `{entry['tiling']}` "
                  f"| {entry['predicted_microseconds']:.2f} "
                  f"| {entry['measured_microseconds']:.2f} "
                  f"| {first['microseconds']:.2f} | {entry['seconds']:.1f} |", flush=True)  # fmt: skip


def correlate(xs, ys):
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    cov = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    sx, sy = (math.sqrt(sum((v - m) ** 2 for v in vs)) for vs, m in ((xs, mx), (ys, my)))
    return cov / (sx * sy) if sx and sy else float("nan")


def plot(path, title, series):
    """Measured against estimated, both logarithmic."""
    values = [v for points in series.values() for p in points for v in p]
    low, high = math.log10(min(values)) - 0.1, math.log10(max(values)) + 0.1
    place = lambda v: 40 + 420 * (math.log10(v) - low) / (high - low)
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="500" height="500" fill="white"/>',
             '<rect x="40" y="40" width="420" height="420" fill="none" stroke="black"/>',
             '<line x1="40" y1="460" x2="460" y2="40" stroke="#bbb"/>',
             f'<text x="40" y="20">{title}: measured (up) by estimated, us</text>']  # fmt: skip
    for exponent in range(math.ceil(low), math.floor(high) + 1):
        at = place(10**exponent)
        lines += [f'<text x="{at:.0f}" y="475">{10**exponent:g}</text>',
                  f'<text x="4" y="{500 - at:.0f}">{10**exponent:g}</text>']  # fmt: skip
    colors = {"mirage": "#0060c0", "published": "#d06000", "general": "#208020"}
    for i, (model, points) in enumerate(series.items()):
        lines.append(f'<text x="50" y="{60 + 16 * i}" fill="{colors[model]}">{model}</text>')
        lines += [f'<circle cx="{place(x):.1f}" cy="{500 - place(y):.1f}" r="3" '
                  f'fill="{colors[model]}" fill-opacity="0.6"/>' for x, y in points]  # fmt: skip
    with open(path, "w") as file:
        file.write("\n".join([*lines, "</svg>", ""]))


def report(out):
    candidates = json.load(open(f"{out}/candidates.json"))
    times = json.load(open(f"{out}/times.json"))
    print("| program | timed | model | correlation | of logarithms | rank of first choice "
          "| its time over the best |\n| --- | --- | --- | --- | --- | --- | --- |")  # fmt: skip
    for name, entries in candidates.items():
        timed = [(e, times[e["folder"]]) for e in entries if e.get("folder") in times]
        if len(timed) < 2:
            continue
        series = {}
        for model in MODELS:
            # No estimate where the model finds that a block does not fit.
            known = [(e[model], t) for e, t in timed if e[model] is not None]
            if len(known) < len(timed):
                print(f"{name}: {model} takes {len(timed) - len(known)} for too large",
                      file=sys.stderr)  # fmt: skip
            series[model] = known
            estimates, measured = zip(*known)
            first = min(series[model])[1]
            logs = correlate([math.log(e) for e in estimates], [math.log(t) for t in measured])
            print(f"| {name} | {len(timed)} | {model} | {correlate(estimates, measured):.3f} "
                  f"| {logs:.3f} | {1 + sum(t < first for t in measured)} "
                  f"| {first / min(measured):.2f} |")  # fmt: skip
        plot(f"{out}/{name}.svg", name, series)
    every = [e for entries in candidates.values() for e in entries]
    print()
    for what, key, limit in (("equation 1", "estimated_bytes", SLACK * SHARED_MEMORY),
                             ("with sums in f32 and no slack it", "typed_bytes", SHARED_MEMORY)):  # fmt: skip
        right = sum((e[key] <= limit) == e["fits"] for e in every)
        print(f"{what} decides {right} of {len(every)} rightly ({right / len(every):.1%})")


def fit_clocks(rows, times):
    """Least squares of relative errors with factors that are not negative."""
    scaled = [[value / t for value in row] for row, t in zip(rows, times)]
    factors = [0.0] * len(rows[0])
    residuals = [-1.0] * len(rows)
    for _ in range(2000):
        for j in range(len(factors)):
            column = [row[j] for row in scaled]
            square = sum(v * v for v in column)
            if not square:
                continue
            step = -sum(v * r for v, r in zip(column, residuals)) / square
            step = max(step, -factors[j])
            factors[j] += step
            residuals = [r + step * v for r, v in zip(residuals, column)]
    return factors


def fit(out):
    candidates = json.load(open(f"{out}/candidates.json"))
    times = json.load(open(f"{out}/times.json"))
    rows, measured, names = [], [], []
    for name, entries in candidates.items():
        for e in entries:
            if e.get("folder") not in times:
                continue
            work = [rounds / CLOCK for rounds in e["work"].values()]
            blocks = max(1, e["blocks"] / MULTIPROCESSORS)  # Of an SM.
            rows.append([r * e["waves"] for r in work] + [r * blocks for r in work])
            kinds = list(e["work"])
            measured.append(times[e["folder"]])
            names.append((name, e["launch"]))
    busy = [t - launch for t, (_, launch) in zip(measured, names)]
    factors = fit_clocks(rows, busy)
    for kind, waiting, working in zip(kinds, factors, factors[len(kinds):]):
        print(f"{kind}: {waiting:.0f} clocks a round of waiting, {working:.0f} of work")
    print("\n| program | correlation | of logarithms | mean error |\n| --- | --- | --- | --- |")
    for name in candidates:
        others = [i for i, (n, _) in enumerate(names) if n != name]
        own = [i for i, (n, _) in enumerate(names) if n == name]
        held = fit_clocks([rows[i] for i in others], [busy[i] for i in others])
        estimates = [names[i][1] + sum(f * v for f, v in zip(held, rows[i])) for i in own]
        actual = [measured[i] for i in own]
        logs = correlate([math.log(e) for e in estimates], [math.log(t) for t in actual])
        error = sum(abs(e / t - 1) for e, t in zip(estimates, actual)) / len(own)
        print(f"| {name} | {correlate(estimates, actual):.3f} | {logs:.3f} | {error:.1%} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("make", "run", "tune", "report", "fit"))
    parser.add_argument("out")
    parser.add_argument("--programs", default=",".join(NAMES))
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--mirage-run", default=f"{BIN}/mirage-run")
    parser.add_argument("--mirage-opt", default=f"{BIN}/mirage-opt")
    arguments = parser.parse_args()
    if arguments.action == "run":
        return measure(arguments.out, arguments.mirage_run)
    if arguments.action == "report":
        return report(arguments.out)
    if arguments.action == "fit":
        return fit(arguments.out)
    names = split(arguments.programs, NAMES, "program")
    if arguments.action == "tune":
        return tune(arguments.out, names, arguments.mirage_opt)
    make(arguments.out, names, arguments.count)


if __name__ == "__main__":
    main()

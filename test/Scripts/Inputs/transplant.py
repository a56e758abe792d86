"""Writes the launches that are found for three products with all weights in rows, and with
one of them in columns, for each other's arguments, and prints what they take.

  transplant.py SCRIPTS TOOLS
"""

import importlib
import sys
import types

sys.path[:0] = [sys.argv[1], f"{sys.argv[1]}/../benchmarks"]
check = importlib.import_module("check-spellings")

checker = check.Checker(types.SimpleNamespace(
    tools=sys.argv[2], spellings=["written", "transposed"], check=False, chip="sm_90a",
    deadline=0, effort=None, keep=None, table=None, sample=None, together=False,
    resume=False, time_limit=None))
program, spellings = checker.spell("qkv_attention")
chosen = {s.name: s for s in spellings if s.name in ("written", "transposed:2")}
orders = {name: check.transplant.stored_orders(program, spelling.stored)
          for name, spelling in chosen.items()}
for name, spelling in chosen.items():
    measurement = checker.measure(spelling)
    own = measurement.microseconds, measurement.launches
    for other in chosen:
        moved = check.transplant.transplant(measurement.text, "qkv_attention",
                                            orders[name], orders[other])
        same = checker.price(moved, "qkv_attention") == own
        print(f"{name} for {other}: {'as long' if same else 'another time'},"
              f" {moved.count('mirage_kernel.transpose')} transposes")

# Products read tiles transposed where there is no room for others.
program, spellings = checker.spell("low_rank")
chosen = {s.name: s for s in spellings if s.name in ("written", "transposed")}
orders = {name: check.transplant.stored_orders(program, spelling.stored)
          for name, spelling in chosen.items()}
measurement = checker.measure(chosen["written"])
for text in check.transplant.transplant_all(measurement.text, "low_rank",
                                            orders["written"], orders["transposed"]):
    price = checker.price(text, "low_rank")
    print(f"{text.count('mirage_block.transpose')} transposes:",
          f"{price[1]} launches" if price else "no room")

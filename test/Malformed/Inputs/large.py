"""Writes programs that are larger than any that people write.

usage: large.py kernel|block|target|nested|thread count
  kernel: a function of `count` kernel operators
  block:  one launch whose block graph has `count` operators
  target: the same in a module that names its target
  nested: loops nested `count` deep
  thread: a thread graph of `count` operators, each using the one before twice
"""

import sys

kind, count = sys.argv[1], int(sys.argv[2])
T = "tensor<16x64xf32>"


def chain(dialect, first, indent):
    """Operators that each use the one before and an earlier one."""
    names = [first]
    for i in range(count):
        operator = ("add", "mul", "max")[i % 3]
        a, b = names[-1], names[i // 2]
        names.append(f"%v{i}")
        print(f"{indent}{names[-1]} = {dialect}.{operator} {a}, {b} : ({T}, {T}) -> {T}")
    return names[-1]


if kind == "target":
    print("module attributes {mirage.target = #mirage.target<sm_90a>} {")
print(f"func.func @f(%x: {T}) -> {T} {{")
if kind == "kernel":
    print(f"  return {chain('mirage_kernel', '%x', '  ')} : {T}")
else:
    print(f"  %y = mirage_kernel.launch grid(x = 1) (%a = %x : {T}) -> {T} {{")
    if kind == "thread":
        F = "tensor<1x8xf32>"
        print(f"    %t = mirage_block.load %a imap(x -> phi) : {T} to {T}")
        print(f"    %g = mirage_block.thread_graph threads(x = 8, y = 16) (%b = %t : {T}) -> {T} {{")
        print(f"      %v0 = mirage_thread.load %b imap(x -> 1, y -> 0) : {T} to {F}")
        for i in range(count):
            print(f"      %v{i + 1} = mirage_thread.mul %v{i}, %v{i} : ({F}, {F}) -> {F}")
        print(f"      %r = mirage_thread.store %v{count} omap(x -> 1, y -> 0) : {F} to {T}")
        print(f"      mirage_thread.yield %r : {T}\n    }}")
        last = "%g"
    elif kind != "nested":
        print(f"    %t = mirage_block.load %a imap(x -> phi) : {T} to {T}")
        last = chain("mirage_block", "%t", "    ")
    else:
        for i in range(count):
            print(f"    %f{i} = mirage_block.for %i{i} = 0 to 1 -> {T} {{")
        maps = ", ".join(f"%i{i} -> phi" for i in range(count))
        print(f"    %s{count} = mirage_block.load %a imap(x -> phi) fmap({maps}) : {T} to {T}")
        for i in reversed(range(count)):
            value = f"%s{count}" if i == count - 1 else f"%f{i + 1}"
            print(f"    %s{i} = mirage_block.accumulate sum {value} : ({T}) -> {T}")
            print(f"    mirage_block.yield %s{i} : {T}\n    }}")
        last = "%f0"
    print(f"    %s = mirage_block.store {last} omap(x -> phi) : {T} to {T}")
    print(f"    mirage_block.yield %s : {T}\n  }}\n  return %y : {T}")
print("}" if kind != "target" else "}}")

#!/usr/bin/env python3
"""Stands in for mirage-opt: says where it is, and ends with an error."""
import sys

sys.stdin.read()
print("1/2 @main: best 3.20/11.50 us, 5.0 s; one kernel 12/80", file=sys.stderr)
print("3/8 launches, 10.0 s; one of @main", file=sys.stderr)
print("program.mlir:1:1: error: its words", file=sys.stderr)
sys.exit(1)

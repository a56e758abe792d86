#!/usr/bin/env python3
"""Times the arithmetic of random tests on one thread.

    scripts/benchmark.sh fields

Nanoseconds for a product inside of a matrix product, one of elements, and an
exponential, on each unit that the CPU has.
"""
import argparse
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", default=f"{ROOT}/build/release")
    args = parser.parse_args()
    target = "mirage-field-units"
    subprocess.run(
        ["cmake", "--build", args.build, "--target", target],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    subprocess.run([f"{args.build}/bin/{target}"], check=True)


if __name__ == "__main__":
    main()

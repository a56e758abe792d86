"""Runs a command and sends it SIGINT.

    interrupt.py seconds times command ...

The first signal comes after so many seconds, each further one half a second
later. Prints the command's exit status; that of a process killed by SIGINT is -2.
"""

import signal
import subprocess
import sys
import time

delay, times = float(sys.argv[1]), int(sys.argv[2])
with subprocess.Popen(sys.argv[3:]) as process:
    time.sleep(delay)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
    print("status", process.wait())

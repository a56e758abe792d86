"""Runs a command and sends it SIGINT.

    interrupt.py seconds times command ...

The first signal comes after so many seconds, further ones, as long as the
command runs, 20 ms after the last. (Signals that the system has not delivered
yet count as one.) Prints the command's exit status; that of a process killed by
SIGINT is -2.
"""

import signal
import subprocess
import sys
import time

# A test runner may ignore the signal, and what it starts would, too.
signal.signal(signal.SIGINT, signal.SIG_DFL)
delay, times = float(sys.argv[1]), int(sys.argv[2])
with subprocess.Popen(sys.argv[3:]) as process:
    time.sleep(delay)
    for _ in range(times):
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    print("status", process.wait())

#!/bin/sh
# What mirage-reduce asks of a program: it ends with 1 if the program is
# interesting.
#
#   planted-bug.sh MIRAGE-OPT FILE
"$1" --test-planted-bug -o /dev/null "$2" 2>&1 | grep -q 'planted bug' && exit 1
exit 0

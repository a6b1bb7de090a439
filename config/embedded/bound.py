"""Run as `python -I -S bound.py PARENT SIGNAL COMMAND…`: ask for SIGNAL when PARENT ends, then become COMMAND.

The request survives exec, and an unprivileged user namespace entered before it. It is made here, after every change of
credentials, because such a change would clear it.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    parent, number, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:  # it ended before the request was made
        sys.exit(1)
    os.execv(command[0], command)  # noqa: S606 - replacing this process is the purpose

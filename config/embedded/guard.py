"""Run as `python -I -S guard.py PARENT PID SIGNAL`: wait until PARENT ends in whatever way, then send SIGNAL to PID.

For a server that was adopted: the kernel ties a process only to whoever forked it. PID is held by a descriptor, so that a
stranger who is given its number later is safe.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    parent, pid, number = (int(word) for word in sys.argv[1:])
    try:
        target = os.pidfd_open(pid)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))
        if os.getppid() == parent:  # else it ended before the request was made
            signal.sigwait({signal.SIGTERM})
        signal.pidfd_send_signal(target, number)
    except ProcessLookupError:
        sys.exit(0)

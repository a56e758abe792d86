"""The check of the kernels that a CUDA graph has beside each other."""

from mirage.launcher import Launcher
from mirage.manifest import Function, Kernel

from .derived import expect


class _Stream:
    """A stream that knows which kernels what comes next on it waits for."""

    def __init__(self, number):
        self.cuda_stream, self.waits_for = number, set()

    def record_event(self):
        return set(self.waits_for)

    def wait_event(self, event):
        self.waits_for |= event


class _Recorder(Launcher):
    """A launcher of a function without a device, which says of each launch its stream, the
    kernels that it waits for, and whether it is early."""

    def __init__(self, function, streams):
        self.kernels, self.early = function.kernels, function.early()
        self.awaited = {other for kernel in self.kernels for other in kernel.after}
        self.first, *self.branches = map(_Stream, range(1, streams + 1))
        self.launched = []

    def _launch(self, number, stream, early):
        own = [self.first, *self.branches][stream - 1]
        self.launched.append((stream - 1, sorted(own.waits_for), early))
        own.waits_for.add(number)

    def run(self):
        """What is launched by a call in a capture, in order."""
        self._launch_beside(self.first)
        return self.launched


def check_streams():
    """Kernels that a graph may have beside each other."""
    def kernel(stream, *after, waits=True):
        return Kernel("k", (1, 1, 1), (32, 1, 1), (1, 1, 1), 0, (), (), (), waits, (), stream,
                      after)

    # Three projections, what joins them, and a chain beside it whose second kernel does not
    # wait itself.
    kernels = (kernel(0), kernel(1), kernel(2), kernel(2, 0, 1), kernel(1),
               kernel(1, waits=False), kernel(2))
    recorder = _Recorder(Function("main", (), kernels, 0, ()), 3)
    # What is queued on the captured stream before has the number -1.
    recorder.first.waits_for.add(-1)
    launched = recorder.run()
    expect([stream for stream, *_ in launched] == [k.stream for k in kernels],
           "kernels are on other streams")
    expect([waits for _, waits, _ in launched] == [
        [-1], [-1], [-1], [-1, 0, 1, 2], [-1, 1], [-1, 1, 4], [-1, 0, 1, 2, 3]],
           "kernels wait for others than the manifest says")
    expect([number for number, (*_, early) in enumerate(launched) if early] == [4, 6],
           "other kernels are early")
    expect(recorder.first.waits_for == {-1, *range(7)}, "streams do not meet")
    return "kernels wait for what the manifest says, and streams part and meet"

"""What became of each graph: replaced subgraphs with their times, and reasons."""

from __future__ import annotations

import dataclasses

from .program import Program


@dataclasses.dataclass
class Subgraph:
    """A subgraph: how many operators of PyTorch it has, the program that was made of it,
    whether this replaces it or the reason why not, and medians of measured times in
    microseconds where there was a GPU: of the program that was found and of the one by fusion
    alone, if there are two, of the faster one with its kernels one after another and beside
    each other, if these differ, of Mirage's kernels and of PyTorch's operators."""

    operators: int
    program: Program | None = None
    reason: str | None = None
    replaced: bool = False
    recorded: bool = False
    measured_programs: list[float] | None = None
    measured_streams: list[float] | None = None
    measured: float | None = None
    measured_torch: float | None = None

    def lines(self) -> list[str]:
        """The subgraph in lines of text."""
        count = f"{self.operators} operator{'s' * (self.operators != 1)}"
        if self.program is None or not self.replaced:
            result = [f"{count} left to PyTorch: {self.reason}"]
            if self.measured is not None:
                result.append(self._measured())
            return result
        kernels = len(self.program.function.kernels)
        result = [f"{count} replaced by {kernels} kernel{'s' * (kernels != 1)} for "
                  f"{self.program.target}" + (", from the record" if self.recorded else "")]
        if self.program.load:
            kernels = len(self.program.load.kernels)
            size = sum(b.bytes for b in self.program.load.buffers if b.role == "output")
            result.append(f"  {kernels} more kernel{'s' * (kernels != 1)} in the first call and "
                          f"when parameters have changed, for {size} bytes that are kept")
        if times := self.program.estimated():
            result.append(f"  estimated: {times[1]:.2f} µs, {times[0]:.2f} µs with plain fusion")
        if self.measured_programs:
            found, fused = self.measured_programs
            result.append(f"  measured: {found:.2f} µs by what was found, {fused:.2f} µs by "
                          "fusion alone")
        if self.measured_streams:
            result.append("  measured: {:.2f} µs with kernels one after another, {:.2f} µs with "
                          "those beside each other that can be".format(*self.measured_streams))
        if self.measured is not None:
            result.append(self._measured())
        result += [f"  {part.sentence}" for part in self.program.parts if part.sentence]
        if self.reason:
            result.append(f"  {self.reason}")
        return result

    def _measured(self) -> str:
        return (f"  measured: {self.measured:.2f} µs, PyTorch's own operators "
                f"{self.measured_torch:.2f} µs")


@dataclasses.dataclass
class Graph:
    """One graph of PyTorch ("forward", "backward" or "inference"): its subgraphs,
    operators left to PyTorch as {reason: {operator: count}}, and the bytes that its kernels
    and these operators read and write in a call (traffic.py)."""

    kind: str
    subgraphs: list[Subgraph] = dataclasses.field(default_factory=list)
    left: dict[str, dict[str, int]] = dataclasses.field(default_factory=dict)
    reason: str | None = None
    bytes: int = 0

    def leave(self, operator: str, reason: str) -> None:
        """Notes an operator that stays, and why."""
        counts = self.left.setdefault(reason, {})
        counts[operator] = counts.get(operator, 0) + 1

    def __str__(self) -> str:
        lines = []
        if self.reason:
            lines.append(f"left to PyTorch: {self.reason}")
        for subgraph in self.subgraphs:
            lines += subgraph.lines()
        for reason, counts in self.left.items():
            names = ", ".join(f"{count} {name}" if count > 1 else name
                              for name, count in counts.items())
            lines.append(f"left to PyTorch: {names}: {reason}")
        if not lines:
            lines.append("no operators")
        return f"{self.kind} graph:\n" + "\n".join("  " + line for line in lines)


# Of this process, in the order of compilation; explain() and tests read them.
graphs: list[Graph] = []

# What explain() is told of subgraphs that kernels compute, while it compiles.
compiled_hook = None

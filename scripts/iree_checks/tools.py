"""Runs Mirage's and IREE's tools on one program after another."""

import os
import subprocess

from . import cpu_objects

# What becomes of launches before each is a kernel, as mirage-lower-to-nvvm does it.
KERNELS = ("builtin.module(mirage-attach-target,mirage-expand-custom-operators,"
           "mirage-default-attention,mirage-decompose-composites,mirage-expand-reduced-stores,"
           "mirage-default-launches,mirage-schedule-launches{cluster-blocks=1},"
           "test-outline-kernels,convert-mirage-to-linalg{sequential})")
# What iree-compile says where its partitions of a program depend on each other.
CYCLES = "failed to schedule execution partitions without cyclic dependencies"
# A search that ends after a second, on any machine with the same result.
SEARCH = "effort=20"
CPU = ["--iree-hal-target-device=local",
       "--iree-hal-local-target-device-backends=llvm-cpu",
       # Generic code of x86 takes subnormal numbers of f16 for zero.
       "--iree-llvmcpu-target-cpu=host",
       # The tensors of a kernel lie on its stack.
       "--iree-llvmcpu-stack-allocation-limit=16777216",
       "--iree-opt-const-eval=false"]
RUN_CPU = ["--device=local-task", "--task_worker_stack_size=67108864"]
# PTX for sm_90a is not affected; with sm_90, IREE 3.13 has no target for what it
# compiles itself.
CUDA = ["--iree-hal-target-device=cuda", "--iree-cuda-target=sm_89",
        # What a kernel makes of constants alone, IREE would compute while it compiles,
        # for which it has no code. Without this it is done once, on the GPU.
        "--iree-opt-const-eval=false"]


class Failed(Exception):
    """A tool refused a program; the message is its first error."""


class Tools:
    def __init__(self, mirage, llvm, iree, work):
        """`mirage` and `llvm` are folders of tools, `iree` has paths by name."""
        self.mirage, self.llvm, self.iree, self.work = mirage, llvm, iree, work
        os.makedirs(work, exist_ok=True)

    def path(self, name):
        return os.path.join(self.work, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def run(self, command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error" in line]
            raise Failed(f"{os.path.basename(command[0])} ended with {done.returncode}: "
                         + (errors or done.stderr.strip().splitlines() or ["?"])[0][:300])
        return done.stdout

    def mirage_tool(self, name, *arguments):
        return self.run([os.path.join(self.mirage, name), *arguments])

    def optimize(self, source, name, search=SEARCH):
        target = self.path(f"{name}.optimized.mlir")
        self.mirage_tool("mirage-opt", source, f"--mirage-optimize={search}", "-o", target)
        return target

    def to_iree(self, source, name):
        target = self.path(f"{name}.iree.mlir")
        self.mirage_tool("mirage-translate", "--mirage-to-iree", source, "-o", target)
        return target

    def run_plugin(self, source, name):
        """A module for IREE by the pass of the plugin for IREE's build."""
        target = self.path(f"{name}.plugin.mlir")
        library = os.path.join(os.path.dirname(self.mirage), "lib", "IREEPass.so")
        self.run([os.path.join(self.llvm, "mlir-opt"), source,
                  "--allow-unregistered-dialect", f"--load-pass-plugin={library}",
                  f"--pass-pipeline=builtin.module(iree-mirage{{tools={self.mirage} "
                  f"optimize={SEARCH}}})", "--mlir-print-op-generic", "-o", target])
        return target

    def with_cpu_objects(self, source, iree, name):
        """The module `iree` with code for the CPU instead of PTX."""
        kernels = self.mirage_tool("mirage-opt", source, f"--pass-pipeline={KERNELS}")
        loops = cpu_objects.to_loops(os.path.join(self.llvm, "mlir-opt"), kernels)
        self.write(f"{name}.loops.mlir", loops)
        with open(iree) as file:
            text = file.read()
        return self.write(f"{name}.cpu.mlir", cpu_objects.replace_objects(text, loops))

    def sequential(self, source, name):
        """The module without any kernel of Mirage."""
        target = self.path(f"{name}.sequential.mlir")
        self.mirage_tool("mirage-opt", source, "--convert-mirage-to-linalg=sequential",
                         "--mlir-print-op-generic", "-o", target)
        return target

    def compile(self, source, flags):
        target = source.removesuffix(".mlir") + ".vmfb"
        self.run([self.iree["iree-compile"], source, *flags, "-o", target])
        return target

    def run_module(self, module, function, inputs, results):
        """Runs a module on the CPU; returns the NumPy files of its results."""
        outputs = [module.removesuffix(".vmfb") + f".{function}.result{i}.npy"
                   for i in range(results)]
        self.run([self.iree["iree-run-module"], f"--module={module}", *RUN_CPU,
                  f"--function={function}", *(f"--input=@{path}" for path in inputs),
                  *(f"--output=@{path}" for path in outputs)])
        return outputs

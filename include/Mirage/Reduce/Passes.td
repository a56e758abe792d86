//===- Passes.td - Programs made smaller -------------------*- tablegen -*-===//
//
// Declares the pass of mirage-reduce.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_REDUCE_PASSES
#define MIRAGE_REDUCE_PASSES

include "mlir/Pass/PassBase.td"

def Reduce : Pass<"mirage-reduce", "::mlir::ModuleOp"> {
  let summary = "Make a program smaller while a test finds it interesting";
  let description = [{
    Looks for a small program on which something still fails: what a report of a
    bug needs. It is a pass of the tool `mirage-reduce`.

    The program `test`, a path or a name on PATH, is called with the arguments `test-arg` and the name of a
    file that holds a program. It ends with 1 if the program is interesting, and
    with 0 if not. Reductions are tried on all operations at once, on each half of
    them, and so on down to single operations, until none of them leaves an
    interesting program:

    * operations, functions among them, that nothing uses are erased;
    * an operator becomes an operand of its type, or takes its first operand in
      place of others;
    * an operator, a load, a loop or a launch becomes constants;
    * results of loops, launches and thread graphs that nothing uses are dropped,
      and so are operands whose arguments nothing uses;
    * a function that nothing calls loses arguments that nothing uses, and results
      but the last.

    Each of them leaves a program that obeys the constraints of Mirage's dialects,
    so that no test sees one that a tool would refuse. What a program computes
    changes. The same program and test give the same result.

    ```
    mirage-reduce failing.mlir -o small.mlir \
      --mirage-reduce='test=./is-interesting.sh test-arg=mirage-opt'
    ```
  }];
  let options = [
    Option<"test", "test", "std::string", "\"\"",
           "Program that ends with 1 for programs that are interesting">,
    ListOption<"testArguments", "test-arg", "std::string",
               "Arguments of the test before the name of the file">
  ];
}

#endif // MIRAGE_REDUCE_PASSES

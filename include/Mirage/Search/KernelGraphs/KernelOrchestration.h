//===- KernelOrchestration.h - The cheapest kernels -------------*- C++ -*-===//
//
// Chooses, of kernels that each compute a convex set of a program's units and
// write some of them to device memory, those that compute the program's results
// in the least time: the binary linear program of Korch (section 4.2, Eq. 2-4)
// for kernels that write any number of units.
//
// Kernels may overlap: a unit that several kernels need can be computed in each
// of them, and is then written by none. A kernel that writes several units may
// need one that a second kernel writes, which in turn needs another one of the
// first. The paper leaves these cycles open; here they are excluded by rows
// that are added where a solution has a cycle (getLoops() in
// KernelOrchestration.cpp).
//
// What kernels read and write need not be units of one program. Where several
// programs compute the same, as the alternatives of a graph that rules rewrite,
// classes of equal values take the units' place (ValueClasses.h): a kernel
// reads a class that any kernel has written, whichever program that is of. The
// binary program then chooses among alternatives by the kernels that compute
// them.
//
// PieceCover solves the special case in which every unit is computed once, much
// faster.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_KERNELORCHESTRATION_H
#define MIRAGE_SEARCH_KERNELGRAPHS_KERNELORCHESTRATION_H

#include "Mirage/BinaryProgram/BinaryProgram.h"
#include "Mirage/Search/KernelGraphs/PieceCover.h"

namespace mirage::search {

class KernelOrchestration {
public:
  /// A kernel that a program may have.
  struct Kernel {
    /// What it computes, what it reads of other kernels, and what it writes.
    UnitSet units, inputs, outputs;
  };
  /// Makes a kernel that computes some units and writes some of these.
  static Kernel makeKernel(const ProgramUnits &program, UnitSet units,
                           UnitSet outputs);

  /// Kernels must be made by makeKernel() of the same program, which must live
  /// as long as this.
  KernelOrchestration(const ProgramUnits &program, std::vector<Kernel> kernels);

  /// The same for kernels that read, compute and write numbers of anything,
  /// such as classes of values, of which some are the results. Not all of these
  /// need to be computed.
  KernelOrchestration(UnitSet results, std::vector<Kernel> kernels);

  using Price = PieceCover::Price;
  struct Options {
    /// A plan has at most so many kernels, as prices count them.
    unsigned maxKernels = std::numeric_limits<unsigned>::max();
    /// Plans that cost as much or more are not looked for.
    double below = std::numeric_limits<double>::infinity();
    /// Units may be computed by several kernels. Otherwise each is computed by
    /// one, and none is left out: this is for kernels of one program.
    bool recomputes = true;
    /// Nodes of branch and bound in all. Without any, there is a bound and no
    /// plan.
    uint64_t nodes = 10'000;
    /// Iterations of the simplex method in all, which are counted behind each
    /// node.
    uint64_t iterations = std::numeric_limits<uint64_t>::max();
    /// Asked behind each node whether to end.
    llvm::function_ref<bool()> isOver = nullptr;
    /// Told of each binary program before it is solved: again with more rows
    /// after a solution that has a cycle.
    llvm::function_ref<void(const BinaryProgram &)> observe = nullptr;
  };
  struct Plan {
    /// The kernels, in an order in which they can run. Each writes something
    /// that no kernel before it has written and that is read or is a result.
    llvm::SmallVector<unsigned> kernels;
    double cost = std::numeric_limits<double>::infinity();
    unsigned launches = 0;
  };
  struct Answer {
    /// The cheapest plan that was found, if there is one.
    std::optional<Plan> plan;
    /// No plan costs less than this, but for the solver's tolerance
    /// (BinaryProgram.h).
    double bound = std::numeric_limits<double>::infinity();
    /// Nothing cheaper than the plan, or than Options::below if there is none,
    /// exists. Otherwise a limit has ended the search.
    bool isOptimal = true;
    /// How large the binary program was, and what it took.
    unsigned variables = 0, rows = 0;
    uint64_t nodes = 0, iterations = 0;
    /// How many rows were added because of cycles.
    unsigned loops = 0;

    /// The part of the plan's cost that is not proved to be needed.
    double getGap() const;
  };
  /// Finds the cheapest plan. There is a price for each kernel; costs are at
  /// least 0, and infinite for kernels that must not be used.
  Answer find(llvm::ArrayRef<Price> prices, const Options &options) const;

private:
  void addRows(BinaryProgram &binary, llvm::ArrayRef<unsigned> useful,
               llvm::ArrayRef<Price> prices, const Options &options) const;
  void addLoop(BinaryProgram &binary, llvm::ArrayRef<unsigned> useful,
               const UnitSet &loop) const;
  std::vector<unsigned> getUseful(llvm::ArrayRef<Price> prices,
                                  const Options &options) const;
  llvm::SmallVector<unsigned> getOrder(llvm::ArrayRef<unsigned> chosen,
                                       UnitSet &done) const;
  std::vector<UnitSet> getLoops(llvm::ArrayRef<unsigned> chosen,
                                const UnitSet &done) const;
  Plan makePlan(llvm::ArrayRef<unsigned> order,
                llvm::ArrayRef<Price> prices) const;

  std::vector<Kernel> kernels;
  /// The units that are results of the program, and all that every plan
  /// computes.
  UnitSet results, live;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_KERNELORCHESTRATION_H

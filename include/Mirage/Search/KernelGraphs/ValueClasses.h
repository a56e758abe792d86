//===- ValueClasses.h - Equal values of several programs --------*- C++ -*-===//
//
// Several programs of the same arguments may have values in common:
// alternatives of one program do, but for where they differ. Values that are
// equal are one class, as in an e-graph, so that a kernel of one program can
// read what a kernel of another one has written.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_VALUECLASSES_H
#define MIRAGE_SEARCH_KERNELGRAPHS_VALUECLASSES_H

#include "Mirage/Search/KernelGraphs/ProgramPieces.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>

namespace mirage::search {

class ValueClasses {
public:
  /// Some arguments are constants, by their places. Values may be equal of
  /// which one is computed of more constants than the other.
  explicit ValueClasses(llvm::BitVector constants = {})
      : constants(std::move(constants)) {}

  /// Returns whether two programs of equal arguments, each with one result, are
  /// known to be equal.
  using AreEqual =
      llvm::function_ref<bool(const MuGraph &lhs, const MuGraph &rhs)>;

  /// Pairs of values that are compared at most for each program.
  static constexpr unsigned kMostComparisons = 64;

  /// A program's units as they were added.
  struct Added {
    /// The class of each unit.
    std::vector<unsigned> classes;
    /// The units that are another operator, or one of other classes, than all
    /// of the programs before.
    UnitSet isNew;
  };
  /// Adds a program. Two units are in one class if they are the same operator
  /// of the same classes, or, with one result each, are known to be equal as
  /// functions of values that both programs have. The first program is compared
  /// with nothing. Units must live as long as this. Some units, by number, are
  /// said to equal others of the program that come before them. Without
  /// `areEqual` nothing else is compared.
  Added add(const ProgramUnits &units, AreEqual areEqual,
            const std::map<unsigned, unsigned> &same = {});

  /// The number of classes of all programs.
  unsigned size() const { return numClasses; }

private:
  /// What an operator computes of which operands.
  using Key = std::vector<uint64_t>;
  struct Entry {
    /// The operator alone, as a program of its operands.
    MuGraph alone;
    unsigned number;
  };
  /// A program with the class of each of its values. Arguments have none.
  struct Program {
    explicit Program(const ProgramUnits &units) : units(&units) {}

    const ProgramUnits *units;
    /// The classes of units, and those of constants by their values.
    std::vector<unsigned> ofUnits;
    std::map<MuValue, unsigned> ofConstants;
    std::map<MuValue, unsigned> unitOf;
  };
  class Cone;

  Key getKey(const Program &program, const MuNode &node,
             const MuGraph &alone) const;
  std::optional<unsigned> findEntry(const Key &key, const MuGraph &alone) const;
  unsigned getClass(const Program &program, unsigned node);
  void unite(unsigned number, unsigned with);
  std::optional<unsigned> findEqual(const Program &program, unsigned unit,
                                    const UnitSet &open, AreEqual areEqual,
                                    unsigned &comparisons) const;
  bool compare(const Program &program, unsigned unit, unsigned other,
               AreEqual areEqual) const;

  llvm::BitVector constants;
  unsigned numClasses = 0;
  std::map<Key, std::vector<Entry>> entries;
  /// The program that was added first.
  std::optional<Program> first;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_VALUECLASSES_H

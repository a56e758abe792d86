//===- RandomProgramsTest.cpp - Rewritten programs are not pruned ---------===//
//
// Random programs of up to ten operators, and the same rewritten by laws of
// arithmetic: factors move through sums, quotients split and join. Exponentials
// don't: a search takes those of the program's arguments alone. Whatever
// operators the search has, each prefix of the block graph that computes the
// rewritten program, with a loop and without, survives.
//
//===----------------------------------------------------------------------===//

#include "../Enumeration.h"
#include "gtest/gtest.h"
#include <memory>
#include <random>

using namespace mirage;
using namespace mirage::search;

namespace {

/// An expression over matrices. Leaves have no operands.
struct Tree;
using TreeRef = std::shared_ptr<const Tree>;
struct Tree {
  enum Kind { Input, Add, Mul, Div, Exp, Sqrt, Silu, Sum, Max, Select };
  Kind kind;
  /// The number of an input, or the dimension of a sum or maximum.
  unsigned number = 0;
  std::vector<TreeRef> operands;
  /// Says whether the value differs along rows, and along columns.
  bool has[2] = {true, true};
};

TreeRef make(Tree::Kind kind, std::vector<TreeRef> operands,
             unsigned number = 0) {
  Tree tree{kind, number, std::move(operands)};
  for (unsigned dim : {0, 1}) {
    tree.has[dim] = false;
    for (const TreeRef &operand : tree.operands)
      tree.has[dim] |= operand->has[dim];
  }
  if (kind == Tree::Sum || kind == Tree::Max)
    tree.has[number] = false;
  return std::make_shared<const Tree>(std::move(tree));
}

TreeRef makeInput(unsigned number) {
  // Two matrices, a row and a column.
  Tree tree{Tree::Input, number, {}};
  tree.has[0] = number != 2;
  tree.has[1] = number != 3;
  return std::make_shared<const Tree>(std::move(tree));
}

bool is(const TreeRef &x, Tree::Kind kind) { return x->kind == kind; }

TreeRef binary(Tree::Kind kind, const TreeRef &a, const TreeRef &b) {
  return make(kind, {a, b});
}

/// Laws of arithmetic, by the operator at the root of a tree.
class Laws {
public:
  /// Returns all trees that one law makes of this one at its root.
  static std::vector<TreeRef> apply(const TreeRef &t) {
    Laws laws;
    switch (t->kind) {
    case Tree::Mul:
      laws.multiply(t->operands[0], t->operands[1]);
      break;
    case Tree::Div:
      laws.divide(t->operands[0], t->operands[1]);
      break;
    case Tree::Add:
      laws.add(t->operands[0], t->operands[1]);
      break;
    case Tree::Max:
      laws.takeMaximum(t->operands[0], t->number);
      break;
    case Tree::Select:
      laws.select(t->operands[0], t->operands[1], t->operands[2]);
      break;
    case Tree::Sum:
      laws.sum(t->operands[0], t->number);
      break;
    default:
      break;
    }
    return std::move(laws.found);
  }

private:
  void multiply(const TreeRef &a, const TreeRef &b) {
    found.push_back(binary(Tree::Mul, b, a));
    if (is(a, Tree::Mul))
      found.push_back(binary(Tree::Mul, a->operands[0],
                             binary(Tree::Mul, a->operands[1], b)));
    if (is(a, Tree::Div))
      found.push_back(binary(Tree::Div, binary(Tree::Mul, a->operands[0], b),
                             a->operands[1]));
    if (is(a, Tree::Add))
      found.push_back(binary(Tree::Add, binary(Tree::Mul, a->operands[0], b),
                             binary(Tree::Mul, a->operands[1], b)));
    if (is(a, Tree::Sqrt) && is(b, Tree::Sqrt))
      found.push_back(make(
          Tree::Sqrt, {binary(Tree::Mul, a->operands[0], b->operands[0])}));
    if (is(a, Tree::Select))
      found.push_back(make(
          Tree::Select, {a->operands[0], binary(Tree::Mul, a->operands[1], b),
                         binary(Tree::Mul, a->operands[2], b)}));
    if (is(a, Tree::Sum) && !b->has[a->number])
      found.push_back(
          make(Tree::Sum, {binary(Tree::Mul, a->operands[0], b)}, a->number));
  }

  void divide(const TreeRef &a, const TreeRef &b) {
    if (is(a, Tree::Mul))
      found.push_back(binary(Tree::Mul, binary(Tree::Div, a->operands[0], b),
                             a->operands[1]));
    if (is(a, Tree::Div))
      found.push_back(binary(Tree::Div, a->operands[0],
                             binary(Tree::Mul, a->operands[1], b)));
    if (is(b, Tree::Mul))
      found.push_back(binary(Tree::Div, binary(Tree::Div, a, b->operands[0]),
                             b->operands[1]));
    if (is(a, Tree::Sum) && !b->has[a->number])
      found.push_back(
          make(Tree::Sum, {binary(Tree::Div, a->operands[0], b)}, a->number));
    if (is(a, Tree::Add))
      found.push_back(binary(Tree::Add, binary(Tree::Div, a->operands[0], b),
                             binary(Tree::Div, a->operands[1], b)));
  }

  void add(const TreeRef &a, const TreeRef &b) {
    if (is(a, Tree::Sum) && is(b, Tree::Sum) && a->number == b->number &&
        a->operands[0]->has[a->number] && b->operands[0]->has[a->number])
      found.push_back(make(Tree::Sum,
                           {binary(Tree::Add, a->operands[0], b->operands[0])},
                           a->number));
  }

  void takeMaximum(const TreeRef &x, unsigned dim) {
    if (is(x, Tree::Max) && x->operands[0]->has[dim])
      found.push_back(
          make(Tree::Max, {make(Tree::Max, {x->operands[0]}, dim)}, x->number));
  }

  void select(const TreeRef &c, const TreeRef &a, const TreeRef &b) {
    if (is(a, Tree::Mul) && is(b, Tree::Mul) &&
        a->operands[1] == b->operands[1])
      found.push_back(binary(
          Tree::Mul, make(Tree::Select, {c, a->operands[0], b->operands[0]}),
          a->operands[1]));
  }

  void sum(const TreeRef &x, unsigned dim) {
    auto sumOf = [&](const TreeRef &y) { return make(Tree::Sum, {y}, dim); };
    if (is(x, Tree::Sum) && x->operands[0]->has[dim])
      found.push_back(make(Tree::Sum, {sumOf(x->operands[0])}, x->number));
    if (is(x, Tree::Add) && x->operands[0]->has[dim] &&
        x->operands[1]->has[dim])
      found.push_back(
          binary(Tree::Add, sumOf(x->operands[0]), sumOf(x->operands[1])));
    if (is(x, Tree::Select) && !x->operands[0]->has[dim] &&
        x->operands[1]->has[dim] && x->operands[2]->has[dim])
      found.push_back(make(Tree::Select, {x->operands[0], sumOf(x->operands[1]),
                                          sumOf(x->operands[2])}));
    for (unsigned side : {0, 1})
      if (is(x, Tree::Mul) && !x->operands[1 - side]->has[dim])
        found.push_back(
            binary(Tree::Mul, sumOf(x->operands[side]), x->operands[1 - side]));
    if (is(x, Tree::Div) && !x->operands[1]->has[dim])
      found.push_back(binary(Tree::Div, sumOf(x->operands[0]), x->operands[1]));
  }

  std::vector<TreeRef> found;
};

class Programs {
public:
  explicit Programs(unsigned seed) : engine(seed) {}
  unsigned pick(unsigned n) { return engine() % n; }

  TreeRef makeTree(unsigned size) {
    if (size == 0)
      return makeInput(pick(4));
    switch (pick(11)) {
    case 9: {
      TreeRef x = makeTree(size - 1);
      unsigned dim = pick(2);
      return x->has[dim] ? make(Tree::Max, {x}, dim) : x;
    }
    case 10: {
      unsigned left = pick(size), middle = pick(size - left);
      return make(Tree::Select, {makeTree(left), makeTree(middle),
                                 makeTree(size - 1 - left - middle)});
    }
    case 0:
    case 1:
    case 2: {
      TreeRef x = makeTree(size - 1);
      if (unsigned dim = pick(2); x->has[dim])
        return make(Tree::Sum, {x}, dim);
      return make(Tree::Silu, {x});
    }
    case 3:
      return make(Tree::Exp, {makeTree(size - 1)});
    case 4:
      return make(pick(2) ? Tree::Sqrt : Tree::Silu, {makeTree(size - 1)});
    default: {
      unsigned left = pick(size);
      static constexpr Tree::Kind kinds[] = {Tree::Add, Tree::Mul, Tree::Mul,
                                             Tree::Div};
      return make(kinds[pick(4)], {makeTree(left), makeTree(size - 1 - left)});
    }
    }
  }

  static void collect(const TreeRef &t,
                      const std::function<TreeRef(TreeRef)> &around,
                      std::vector<TreeRef> &found) {
    for (const TreeRef &equal : Laws::apply(t))
      found.push_back(around(equal));
    for (unsigned i = 0; i < t->operands.size(); ++i)
      collect(
          t->operands[i],
          [&, i](TreeRef inner) {
            std::vector<TreeRef> operands = t->operands;
            operands[i] = std::move(inner);
            return around(make(t->kind, std::move(operands), t->number));
          },
          found);
  }

  TreeRef rewrite(TreeRef tree) {
    std::vector<TreeRef> found;
    collect(
        tree, [](TreeRef t) { return t; }, found);
    return found.empty() ? tree : found[pick(found.size())];
  }

private:
  std::mt19937 engine;
};

constexpr OpKind kOperators[] = {
    OpKind::Add,  OpKind::Add,  OpKind::Mul,    OpKind::Div,    OpKind::Exp,
    OpKind::Sqrt, OpKind::Silu, OpKind::Reduce, OpKind::Reduce, OpKind::Select};

MuGraph makeProgram(const TreeRef &tree) {
  ProgramBuilder b;
  MuValue inputs[] = {b.input({8, 12}), b.input({8, 12}), b.input({1, 12}),
                      b.input({8, 1})};
  // Nothing uses these products, but they make all rows the same axis, and all
  // columns.
  b.mul(b.mul(inputs[0], inputs[1]), b.mul(inputs[2], inputs[3]));
  // Values that are equal are one.
  std::map<std::string, MuValue> known;
  std::function<MuValue(const TreeRef &)> build = [&](const TreeRef &t) {
    if (t->kind == Tree::Input)
      return inputs[t->number];
    llvm::SmallVector<MuValue> operands;
    std::string key = std::to_string(t->kind) + "." + std::to_string(t->number);
    for (const TreeRef &operand : t->operands) {
      operands.push_back(build(operand));
      key += " " + std::to_string(operands.back());
    }
    auto [entry, isNew] = known.try_emplace(key);
    if (isNew)
      entry->second = t->kind == Tree::Sum ? b.reduce(operands[0], t->number)
                      : t->kind == Tree::Max
                          ? b.reduce(operands[0], t->number, ReduceKind::Max)
                          : b.op(kOperators[t->kind], operands);
    return entry->second;
  };
  return b.finish(build(tree));
}

/// The tree as a block graph in the problem's operators; nothing if it lacks
/// some, or if an iteration would need what comes after the loop.
class Flattening {
public:
  Flattening(const SearchProblem &problem, std::optional<unsigned> loopDim)
      : problem(problem), loopDim(loopDim) {}

  std::optional<LaunchGraph> run(const TreeRef &tree) {
    if (loopDim)
      graph.loops.push_back({getAxis(*loopDim)});
    for (auto [number, input] : llvm::enumerate(problem.getInputs())) {
      LoadChoice load{static_cast<uint8_t>(number), input.dims};
      bool isCut = false;
      for (DimId &dim : load.dims)
        if (loopDim &&
            problem.getParts(dim).front().axis == getAxis(*loopDim)) {
          dim = *problem.withRemoved(dim, {kLoop});
          isCut = true;
        }
      load.region = isCut ? RegionId::ofLoop(0) : kBody;
      graph.loads.push_back(load);
      phases.push_back(isCut ? InLoop : Anywhere);
    }
    unsigned result = build(tree);
    if (isImpossible || phases[result] == InLoop || result < graph.loads.size())
      return std::nullopt;
    graph.outputs.push_back(result);
    return graph;
  }

private:
  enum Phase { Anywhere, InLoop, AfterLoop };

  using Kind = OperatorForm::Kind;

  /// The first input has both dimensions.
  uint8_t getAxis(unsigned dim) const {
    return problem.getInputs()[0].layout[dim].front();
  }

  unsigned add(Kind kind, OpKind op, unsigned first, unsigned second,
               unsigned dim, Phase phase, unsigned third = 0) {
    if (kind == Kind::Binary && op != OpKind::Div && first > second)
      std::swap(first, second);
    std::vector<unsigned> key = {static_cast<unsigned>(kind),
                                 static_cast<unsigned>(op),
                                 first,
                                 second,
                                 dim,
                                 third};
    auto known = values.find(key);
    if (known != values.end())
      return known->second;
    auto *at = llvm::find_if(problem.getForms(), [&](const OperatorForm &form) {
      return form.kind == kind && form.op == op && !form.splitsOnly;
    });
    if (at == problem.getForms().end()) {
      isImpossible = true;
      return 0;
    }
    graph.operators.push_back(
        {static_cast<FormId>(at - problem.getForms().begin()),
         static_cast<uint8_t>(first), static_cast<uint8_t>(second),
         problem.findReduced(getAxis(dim)).value_or(0),
         static_cast<uint8_t>(third)});
    phases.push_back(phase);
    return values[key] = phases.size() - 1;
  }

  unsigned build(const TreeRef &t) {
    if (t->kind == Tree::Input)
      return t->number;
    unsigned first = build(t->operands[0]);
    if (t->operands.size() == 3) {
      unsigned second = build(t->operands[1]), third = build(t->operands[2]);
      Phase all = std::max({phases[first], phases[second], phases[third]});
      for (unsigned operand : {first, second, third})
        isImpossible |= phases[operand] != Anywhere && phases[operand] != all;
      return add(Kind::Ternary, OpKind::Select, first, second, 0, all, third);
    }
    if (t->operands.size() == 2) {
      unsigned second = build(t->operands[1]);
      Phase a = phases[first], b = phases[second];
      // x + x and x / x are not in the space.
      isImpossible |= (a != Anywhere && b != Anywhere && a != b) ||
                      (first == second && t->kind != Tree::Mul);
      return add(Kind::Binary, kOperators[t->kind], first, second, 0,
                 std::max(a, b));
    }
    Phase phase = phases[first];
    if (t->kind == Tree::Max) {
      unsigned most =
          add(Kind::ReducePlainMax, OpKind::Reduce, first, 0, t->number, phase);
      if (phase != InLoop || t->number != loopDim)
        return most;
      return add(Kind::AccumulatePlainMax, OpKind::Add, most, 0, 0, AfterLoop);
    }
    if (t->kind != Tree::Sum)
      return add(Kind::Unary, kOperators[t->kind], first, 0, 0, phase);
    unsigned sum =
        add(Kind::ReduceSum, OpKind::Reduce, first, 0, t->number, phase);
    if (phase != InLoop || t->number != loopDim)
      return sum;
    return add(Kind::Accumulate, OpKind::Add, sum, 0, 0, AfterLoop);
  }

  const SearchProblem &problem;
  std::optional<unsigned> loopDim;
  LaunchGraph graph;
  std::vector<Phase> phases;
  std::map<std::vector<unsigned>, unsigned> values;
  bool isImpossible = false;
};

TEST(RandomPrograms, RewrittenOnesSurvive) {
  const char *requested = std::getenv("MIRAGE_SEARCH_PROGRAMS");
  unsigned rounds = requested ? std::atoi(requested) : 1500;
  Programs programs(7);
  unsigned tested = 0, looped = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    TreeRef tree = programs.makeTree(2 + programs.pick(8));
    MuGraph program = makeProgram(tree);
    std::string reason;
    std::optional<unsigned> location;
    auto problem = SearchProblem::create(program, reason, location);
    ASSERT_TRUE(problem) << reason;
    GeneratorLimits limits;
    limits.canonicalPlacement = limits.pruneRecomputation = false;
    GeneratorStatistics statistics;
    ExpressionOracle oracle(*problem, Prune::NormalForm);
    std::vector<KernelTensor> tensors;
    for (auto [number, input] : llvm::enumerate(problem->getInputs())) {
      KernelTensor &tensor = tensors.emplace_back();
      tensor.info = input;
      tensor.value = oracle.getInput(number).value;
    }
    BlockGenerator generator(*problem, oracle, tensors, limits, statistics);
    for (unsigned step = 0; step < 12; ++step) {
      for (std::optional<unsigned> loopDim :
           {std::optional<unsigned>(), std::optional(0u), std::optional(1u)}) {
        auto graph = Flattening(*problem, loopDim).run(tree);
        if (!graph)
          continue;
        ++tested;
        looped += loopDim.has_value();
        std::optional<unsigned> rejected = generator.findRejected(*graph);
        Candidate candidate;
        candidate.launches.push_back(*graph);
        ASSERT_FALSE(rejected)
            << "round " << round << ": operator " << *rejected << " of\n"
            << toString(*problem, candidate) << toString(program);
      }
      tree = programs.rewrite(tree);
    }
  }
  EXPECT_GT(tested, 2 * rounds);
  EXPECT_GT(looped, rounds / 2);
}

} // namespace

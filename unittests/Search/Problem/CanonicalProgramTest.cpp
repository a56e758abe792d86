//===- CanonicalProgramTest.cpp - One form of a program's spellings -------===//
//
// Spellings of a program have one canonical form, which computes what they do.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/CanonicalProgram.h"
#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

/// Builds programs whose values have types of their own.
class Spelling : public ProgramBuilder {
public:
  using GraphBuilder::transpose;

  MuValue narrowInput(ShapeRef shape) {
    return graph.addArgument(0, shape, ElementType::f16);
  }
  /// Adds an operator whose result has its operand's type.
  MuValue move(OpKind kind, MuValue value, const OpAttributes &attributes) {
    return graph.addOperator(0, kind, attributes, {value},
                             graph.getValue(value).type);
  }
  MuValue cast(MuValue value, ElementType type) {
    OpAttributes attributes;
    attributes.resultType = type;
    return graph.addOperator(0, OpKind::Cast, attributes, {value}, type);
  }
  MuValue narrow(MuValue value) { return cast(value, ElementType::f16); }
  MuValue widen(MuValue value) { return cast(value, ElementType::f32); }
  /// Splits columns into heads, which come first.
  MuValue takeHeads(MuValue value, int64_t heads) {
    ShapeRef shape = graph.getShape(value);
    OpAttributes split, order;
    split.resultShape = {shape[0], heads, shape[1] / heads};
    order.permutation = {1, 0, 2};
    return move(OpKind::Transpose, move(OpKind::Reshape, value, split), order);
  }
  MuValue exchange(MuValue value) {
    OpAttributes order;
    for (size_t dim = 0; dim < graph.getShape(value).size(); ++dim)
      order.permutation.push_back(static_cast<int64_t>(dim));
    std::swap(order.permutation.back(),
              order.permutation[order.permutation.size() - 2]);
    return move(OpKind::Transpose, value, order);
  }
  MuValue reshape(MuValue value, ShapeRef shape) {
    OpAttributes attributes;
    attributes.resultShape.assign(shape.begin(), shape.end());
    return move(OpKind::Reshape, value, attributes);
  }
  MuValue order(MuValue value, llvm::ArrayRef<int64_t> permutation) {
    OpAttributes attributes;
    attributes.permutation.assign(permutation.begin(), permutation.end());
    return move(OpKind::Transpose, value, attributes);
  }
  /// Convolves an image [1, channels, height, width] with one element of each
  /// channel, as mirage-expand-convolutions writes it.
  MuValue convolve(MuValue image, MuValue filter) {
    Shape matrix = {1, 1, graph.getShape(filter)[0], graph.getShape(filter)[1]};
    return order(matmul(order(image, {0, 2, 3, 1}), reshape(filter, matrix),
                        /*transposeLhs=*/false, /*transposeRhs=*/true),
                 {0, 3, 1, 2});
  }
  MuValue takeRows(MuValue value, int64_t rows) {
    OpAttributes part;
    part.sizes.assign(graph.getShape(value).begin(),
                      graph.getShape(value).end());
    part.sizes[0] = rows;
    part.offsets.assign(part.sizes.size(), 0);
    part.strides.assign(part.sizes.size(), 1);
    return move(OpKind::Slice, value, part);
  }
};

using Write = llvm::function_ref<MuValue(Spelling &)>;

MuGraph make(Write write) {
  Spelling spelling;
  MuValue result = write(spelling);
  return spelling.finish(result);
}

/// Returns whether two spellings have one form, which computes what both do.
::testing::AssertionResult haveOneForm(Write first, Write second) {
  MuGraph a = make(first), b = make(second);
  MuGraph ofA = canonicalizeProgram(a), ofB = canonicalizeProgram(b);
  if (areIdentical(a, b) || !areIdentical(ofA, ofB))
    return ::testing::AssertionFailure() << toString(ofA) << toString(ofB);
  for (const MuGraph *program : {&a, &b})
    if (!agree(*program, ofA))
      return ::testing::AssertionFailure()
             << toString(*program) << toString(ofA);
  // The form is its own.
  if (!areIdentical(canonicalizeProgram(ofA), ofA))
    return ::testing::AssertionFailure() << toString(ofA);
  return ::testing::AssertionSuccess();
}

/// Returns whether no rule applies to a program.
bool isCanonical(Write write) {
  MuGraph program = make(write);
  return areIdentical(canonicalizeProgram(program), program);
}

TEST(CanonicalProgram, WhatMovesIsNarrow) {
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        return s.narrow(s.takeHeads(s.square(s.input({4, 6})), 2));
      },
      [](Spelling &s) {
        return s.takeHeads(s.narrow(s.square(s.input({4, 6}))), 2);
      }));
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        return s.square(s.takeHeads(s.widen(s.narrowInput({4, 6})), 2));
      },
      [](Spelling &s) {
        return s.square(s.widen(s.takeHeads(s.narrowInput({4, 6}), 2)));
      }));
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        return s.square(s.takeRows(s.widen(s.narrowInput({4, 6})), 2));
      },
      [](Spelling &s) {
        return s.square(s.widen(s.takeRows(s.narrowInput({4, 6}), 2)));
      }));
}

TEST(CanonicalProgram, WhatWasMadeWiderIsCastFromWhatItWas) {
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue a = s.narrow(s.square(s.input({4, 6})));
        return s.exp(s.cast(s.widen(a), ElementType::bf16));
      },
      [](Spelling &s) {
        MuValue a = s.narrow(s.square(s.input({4, 6})));
        return s.exp(s.cast(a, ElementType::bf16));
      }));
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue a = s.narrow(s.square(s.input({4, 6})));
        return s.takeHeads(s.narrow(s.widen(a)), 2);
      },
      [](Spelling &s) {
        return s.takeHeads(s.narrow(s.square(s.input({4, 6}))), 2);
      }));
  // What is read besides is not moved.
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue a = s.exchange(s.narrow(s.square(s.input({4, 6}))));
        return s.mul(s.narrow(s.widen(a)), a);
      },
      [](Spelling &s) {
        MuValue a = s.exchange(s.narrow(s.square(s.input({4, 6}))));
        return s.mul(a, a);
      }));
  // A cast to a narrower type rounds.
  EXPECT_TRUE(isCanonical([](Spelling &s) {
    return s.square(s.widen(s.narrow(s.square(s.input({4, 6})))));
  }));
}

TEST(CanonicalProgram, ReshapesAreOne) {
  auto reshape = [](Spelling &s, MuValue value, Shape shape) {
    OpAttributes attributes;
    attributes.resultShape = std::move(shape);
    return s.move(OpKind::Reshape, value, attributes);
  };
  auto moveFirst = [](Spelling &s, MuValue value) {
    OpAttributes order;
    order.permutation = {1, 0, 2};
    return s.move(OpKind::Transpose, value, order);
  };
  EXPECT_TRUE(haveOneForm(
      [&](Spelling &s) {
        MuValue x = reshape(s, s.square(s.input({4, 6})), {4, 2, 3});
        return s.exp(reshape(s, x, {8, 3}));
      },
      [&](Spelling &s) {
        return s.exp(reshape(s, s.square(s.input({4, 6})), {8, 3}));
      }));
  EXPECT_TRUE(haveOneForm(
      [&](Spelling &s) {
        MuValue x = moveFirst(s, s.square(s.input({4, 1, 6})));
        return s.exp(reshape(s, x, {4, 6}));
      },
      [&](Spelling &s) {
        return s.exp(reshape(s, s.square(s.input({4, 1, 6})), {4, 6}));
      }));
  EXPECT_TRUE(haveOneForm(
      [&](Spelling &s) {
        MuValue x = moveFirst(s, s.square(s.input({4, 1, 6})));
        return s.exp(reshape(s, x, {4, 1, 6}));
      },
      [&](Spelling &s) {
        return s.exp(s.square(s.input({4, 1, 6})));
      }));
  EXPECT_TRUE(isCanonical([&](Spelling &s) {
    return s.exp(moveFirst(s, s.square(s.input({4, 2, 6}))));
  }));
}

TEST(CanonicalProgram, AttentionOfWhatWasNarrowIsNarrow) {
  auto attend = [](Spelling &s, ElementType type, bool isMasked) {
    OpAttributes attributes;
    attributes.scalar = 0.5;
    llvm::SmallVector<MuValue> operands;
    for (int64_t rows : {4, 6, 6}) {
      MuValue narrow = s.narrowInput({2, rows, 8});
      operands.push_back(type == ElementType::f16 ? narrow : s.widen(narrow));
    }
    if (isMasked)
      operands.push_back(s.input({2, 4, 6}));
    return s.graph.addOperator(0, OpKind::Attention, attributes, operands,
                               type);
  };
  for (bool isMasked : {false, true})
    EXPECT_TRUE(haveOneForm(
        [&](Spelling &s) {
          return s.exchange(s.narrow(attend(s, ElementType::f32, isMasked)));
        },
        [&](Spelling &s) {
          return s.exchange(attend(s, ElementType::f16, isMasked));
        }));
  // The result is as exact as it was.
  EXPECT_TRUE(isCanonical([&](Spelling &s) {
    return s.square(attend(s, ElementType::f32, /*isMasked=*/false));
  }));
}

TEST(CanonicalProgram, ProductsReadTransposedMatrices) {
  auto written = [](Spelling &s) {
    MuValue a = s.input({4, 6}), b = s.input({8, 6});
    return s.exp(s.matmul(a, b, false, true));
  };
  EXPECT_TRUE(haveOneForm(written, [](Spelling &s) {
    MuValue a = s.input({4, 6}), b = s.input({8, 6});
    return s.exp(s.matmul(a, s.exchange(b)));
  }));
  EXPECT_TRUE(haveOneForm(written, [](Spelling &s) {
    MuValue a = s.input({4, 6}), b = s.input({8, 6});
    return s.exp(s.exchange(s.matmul(b, a, false, true)));
  }));
  // The same holds with casts in between, and in batches.
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue a = s.narrowInput({2, 4, 6}), b = s.narrowInput({2, 6, 8});
        return s.narrow(s.exchange(s.matmul(a, b)));
      },
      [](Spelling &s) {
        MuValue a = s.narrowInput({2, 4, 6}), b = s.narrowInput({2, 6, 8});
        return s.narrow(s.matmul(b, a, true, true));
      }));
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue a = s.input({4, 6}), b = s.narrowInput({8, 6});
        return s.matmul(a, s.exchange(s.widen(b)));
      },
      [](Spelling &s) {
        MuValue a = s.input({4, 6}), b = s.narrowInput({8, 6});
        return s.matmul(a, s.widen(b), false, true);
      }));
  // So does a product whose result another one reads transposed on its left.
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue a = s.narrowInput({4, 6}), b = s.narrowInput({6, 8});
        return s.matmul(s.narrow(s.matmul(a, b)), s.narrowInput({8, 5}));
      },
      [](Spelling &s) {
        MuValue a = s.narrowInput({4, 6}), b = s.narrowInput({6, 8});
        return s.matmul(s.narrow(s.matmul(b, a, true, true)),
                        s.narrowInput({8, 5}), true, false);
      }));
  EXPECT_TRUE(isCanonical([](Spelling &s) {
    MuValue product = s.matmul(s.input({6, 8}), s.input({6, 4}), true, false);
    MuValue other = s.matmul(product, s.input({8, 4}), true, false);
    return s.matmul(product, other);
  }));
}

TEST(CanonicalProgram, ProductsOfWhatWasNarrowAreNarrow) {
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue a = s.narrowInput({4, 6}), b = s.narrowInput({6, 8});
        return s.exp(s.matmul(s.widen(a), s.widen(b)));
      },
      [](Spelling &s) {
        MuValue a = s.narrowInput({4, 6}), b = s.narrowInput({6, 8});
        return s.exp(s.matmul(a, b));
      }));
  // One operand needs f32.
  EXPECT_TRUE(isCanonical([](Spelling &s) {
    MuValue a = s.narrowInput({4, 6}), b = s.input({6, 8});
    return s.exp(s.matmul(s.widen(a), b));
  }));
}

TEST(CanonicalProgram, SlicesOfProductsAreProductsOfWindows) {
  auto reshape = [](Spelling &s, MuValue value, Shape shape) {
    OpAttributes attributes;
    attributes.resultShape = std::move(shape);
    return s.move(OpKind::Reshape, value, attributes);
  };
  // Weights as a batch, of whose product one half is multiplied with the other,
  // and as windows of the same tensor.
  auto half = [](Spelling &s, MuValue value, int64_t number) {
    OpAttributes part;
    part.sizes = Shape(s.graph.getShape(value));
    part.sizes[0] = 1;
    part.offsets = {number, 0, 0};
    part.strides = {1, 1, 1};
    return s.move(OpKind::Slice, value, part);
  };
  EXPECT_TRUE(haveOneForm(
      [&](Spelling &s) {
        MuValue a = s.exp(s.input({4, 8})), w = s.input({2, 8, 16});
        MuValue both = s.matmul(reshape(s, a, {1, 4, 8}), w);
        return s.mul(reshape(s, half(s, both, 0), {4, 16}),
                     reshape(s, half(s, both, 1), {4, 16}));
      },
      [&](Spelling &s) {
        MuValue a = s.exp(s.input({4, 8})), w = s.input({2, 8, 16});
        MuValue first = s.matmul(a, reshape(s, half(s, w, 0), {8, 16}));
        MuValue second = s.matmul(a, reshape(s, half(s, w, 1), {8, 16}));
        return s.mul(first, second);
      }));
}

TEST(CanonicalProgram, SoftmaxNeedsNoNumberSubtracted) {
  for (OpKind kind : {OpKind::Softmax, OpKind::LogSoftmax}) {
    OpAttributes along;
    along.dim = 1;
    MuGraph shifted = make([&](Spelling &s) {
      MuValue x = s.input({4, 6});
      return s.op(kind, {s.sub(x, s.reduce(x, 1))}, along);
    });
    MuGraph plain = make([&](Spelling &s) {
      return s.op(kind, {s.input({4, 6})}, along);
    });
    EXPECT_TRUE(areIdentical(canonicalizeProgram(shifted), plain));
    // Finite fields have no logarithms.
    if (kind == OpKind::Softmax)
      EXPECT_TRUE(agree(shifted, plain));
    // Columns differ along the dimension.
    EXPECT_TRUE(isCanonical([&](Spelling &s) {
      MuValue x = s.input({4, 6});
      return s.op(kind, {s.sub(x, s.reduce(x, 0))}, along);
    }));
  }
}

/// What is multiplied by a matrix is a matrix, and no batch of one.
TEST(CanonicalProgram, BatchesOfOneAreMatrices) {
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue x = s.square(s.input({1, 4, 6})), w = s.input({5, 6});
        return s.matmul(x, s.reshape(s.exchange(w), {1, 6, 5}));
      },
      [](Spelling &s) {
        MuValue x = s.square(s.input({1, 4, 6})), w = s.input({5, 6});
        return s.reshape(s.matmul(s.reshape(x, {4, 6}), s.exchange(w)),
                         {1, 4, 5});
      }));
  // A batch of one stays where both are.
  EXPECT_TRUE(isCanonical([](Spelling &s) {
    return s.matmul(s.input({1, 4, 6}), s.input({1, 6, 5}));
  }));
}

TEST(CanonicalProgram, WhatSeveralOperatorsReadStays) {
  EXPECT_TRUE(isCanonical([](Spelling &s) {
    MuValue heads = s.takeHeads(s.square(s.input({4, 6})), 2);
    return s.mul(s.widen(s.narrow(heads)), heads);
  }));
  EXPECT_TRUE(isCanonical([](Spelling &s) {
    MuValue product = s.matmul(s.input({4, 6}), s.input({6, 4}));
    return s.add(product, s.exchange(product));
  }));
}

TEST(CanonicalProgram, ElementsOfImagesAreRows) {
  EXPECT_TRUE(haveOneForm(
      [](Spelling &s) {
        MuValue image = s.input({1, 4, 3, 2}), filter = s.input({6, 4}),
                second = s.input({5, 6});
        MuValue y = s.reshape(s.convolve(image, filter), {2, 3, 6});
        return s.convolve(s.reshape(s.square(y), {1, 6, 3, 2}), second);
      },
      [](Spelling &s) {
        MuValue image = s.input({1, 4, 3, 2}), filter = s.input({6, 4}),
                second = s.input({5, 6});
        MuValue y =
            s.reshape(s.matmul(filter, s.reshape(image, {4, 6})), {2, 3, 6});
        return s.reshape(s.matmul(second, s.reshape(s.square(y), {6, 6})),
                         {1, 5, 3, 2});
      }));
  // What was no matrix before is read in one shape, also by what else reads it.
  EXPECT_TRUE(isCanonical([](Spelling &s) {
    MuValue batch = s.input({3, 4, 6});
    MuValue product = s.matmul(batch, s.reshape(s.input({6, 6}), {1, 6, 6}));
    return s.add(product, batch);
  }));
  EXPECT_TRUE(isCanonical([](Spelling &s) {
    MuValue image = s.input({1, 4, 4, 4});
    return s.mul(s.order(image, {0, 2, 3, 1}), image);
  }));
}

// A filter of one element is a matrix, in whatever order its dimensions of size
// one are moved before it is multiplied.
TEST(CanonicalProgram, FiltersOfOneElementAreMatrices) {
  auto multiply = [](Spelling &s, MuValue filter) {
    return s.square(s.matmul(s.reshape(filter, {6, 4}), s.input({4, 5})));
  };
  EXPECT_TRUE(haveOneForm(
      [&](Spelling &s) {
        MuValue filter = s.order(s.input({4, 6, 1, 1}), {1, 0, 2, 3});
        return multiply(s, s.order(filter, {0, 2, 3, 1}));
      },
      [](Spelling &s) {
        MuValue filter = s.reshape(s.input({4, 6, 1, 1}), {4, 6});
        return s.square(s.matmul(s.exchange(filter), s.input({4, 5})));
      }));
  EXPECT_TRUE(haveOneForm(
      [&](Spelling &s) {
        return multiply(s, s.exchange(s.input({6, 4, 1, 1})));
      },
      [&](Spelling &s) {
        return multiply(s, s.input({6, 4, 1, 1}));
      }));
}

// Queries, keys and values beside each other in each of three heads, as rows or
// columns of a product, with the weight stored in either order.
TEST(CanonicalProgram, PartsOfGroupsOfRowsAreProducts) {
  for (bool ofColumns : {false, true})
    for (bool isTransposed : {false, true}) {
      Spelling s;
      MuValue x = s.input({8, 8});
      bool isFirst = ofColumns == isTransposed;
      MuValue w = s.input(isFirst ? Shape{36, 8} : Shape{8, 36});
      MuValue product = ofColumns ? s.matmul(x, w, false, isTransposed)
                                  : s.matmul(w, x, isTransposed, false);
      MuValue heads =
          s.reshape(product, ofColumns ? Shape{8, 3, 12} : Shape{3, 12, 8});
      llvm::SmallVector<MuValue> results;
      for (int64_t part : {0, 4, 8})
        results.push_back(s.square(
            ofColumns ? s.slice(heads, {0, 0, part}, {8, 3, 4}, {1, 1, 1})
                      : s.slice(heads, {0, part, 0}, {3, 4, 8}, {1, 1, 1})));
      MuGraph program = s.finish(results);
      EXPECT_TRUE(areIdentical(canonicalizeProgram(program), program));
      MuGraph separate = canonicalizeProgram(program, RowGroups::Separate);
      EXPECT_TRUE(agree(program, separate)) << toString(separate);
      unsigned products = 0;
      for (unsigned number : separate.getRegion().nodes) {
        const MuNode &node = separate.getNode(number);
        products += node.op == OpKind::Matmul;
        if (node.op == OpKind::Matmul)
          EXPECT_EQ(elementCount(separate.getShape(node.results[0])), 96)
              << toString(separate);
      }
      EXPECT_EQ(products, 3u) << toString(separate);
    }
}

TEST(CanonicalProgram, GroupsOfRowsStayTogether) {
  // The whole product is read as well, the weight is computed, or parts have
  // elements in common.
  for (unsigned form = 0; form < 3; ++form) {
    Spelling s;
    MuValue x = s.input({8, 8}), w = s.input({36, 8});
    MuValue heads =
        s.reshape(s.matmul(form == 1 ? s.exp(w) : w, x), {3, 12, 8});
    llvm::SmallVector<MuValue> results = {
        s.square(s.slice(heads, {0, 0, 0}, {3, 4, 8}, {1, 1, 1})),
        s.square(
            s.slice(heads, {0, form == 2 ? 2 : 4, 0}, {3, 4, 8}, {1, 1, 1}))};
    if (form == 0)
      results.push_back(s.exp(heads));
    MuGraph program = s.finish(results);
    MuGraph separate = canonicalizeProgram(program, RowGroups::Separate);
    unsigned products = 0;
    for (unsigned number : separate.getRegion().nodes)
      products += separate.getNode(number).op == OpKind::Matmul;
    EXPECT_EQ(products, 1u) << toString(separate);
    EXPECT_TRUE(agree(program, separate));
  }
}

} // namespace

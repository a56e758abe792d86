//===- Ranges.cpp - Sums and maxima over adjacent ranges ------------------===//
//
// A sum over a range of an index and one over the next range are the sum over
// both, if their terms are one function of the index:
//
//   Σ_{v<n} f(v) + Σ_{u<k} f(n + u) = Σ_{w<n+k} f(w).
//
// Of maxima, which may take a value twice, ranges may overlap as well. What is
// shown before anything is joined: f is the first range's term as an expression
// in v, which occurs in no index but as a whole, so that it may take any
// integer; and f(d + u) has the normal form of the other range's term, where
// the other range begins at d. Coefficients are equal, and all other
// bound variables run over the same values.
//
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "Substitution.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

namespace {
/// A read at constant + coefficient * v + other digits.
struct Place {
  TensorNumber tensor;
  int64_t constant, coefficient;
};
} // namespace

/// Appends all reads, or those at an index with `v`.
static void appendPlaces(const Polynomial &a, std::optional<Variable> v,
                         SmallVectorImpl<Place> &to) {
  for (const Monomial &m : a.monomials)
    for (const Factor &factor : m.factors) {
      const Atom &atom = *factor.atom;
      if (v && !usesAny(atom, {*v}))
        continue;
      if (atom.kind == Atom::Kind::Read) {
        const auto *term = llvm::find_if(atom.at.terms, [&](const auto &t) {
          return v && t.digit.variable == *v;
        });
        to.push_back({atom.tensor, atom.at.constant,
                      term == atom.at.terms.end() ? 0 : term->coefficient});
      }
      appendPlaces(atom.argument, v, to);
      for (const Alternative &alternative : atom.alternatives)
        appendPlaces(alternative.value, v, to);
    }
}

/// Returns whether `v` is used in digits that are less than the whole of it.
static bool isCut(const Polynomial &a, Variable v,
                  const IndexArithmetic &indices) {
  return llvm::any_of(a.monomials, [&](const Monomial &m) {
    return llvm::any_of(m.factors, [&](const Factor &factor) {
      const Atom &atom = *factor.atom;
      if (!usesAny(atom, {v}))
        return false;
      return llvm::any_of(atom.at.terms,
                          [&](const IndexTerm &term) {
                            return term.digit.variable == v &&
                                   (term.digit.stride != 1 ||
                                    !indices.isHighest(term.digit));
                          }) ||
             isCut(atom.argument, v, indices) ||
             llvm::any_of(atom.alternatives, [&](const Alternative &other) {
               return isCut(other.value, v, indices);
             });
    });
  });
}

/// Finds how far the range of `b` may begin behind that of v in `a`.
static SmallVector<int64_t, 2> findOffsets(const Alternative &a, Variable v,
                                           const Alternative &b,
                                           const IndexArithmetic &indices) {
  SmallVector<Place, 8> own, others;
  SmallVector<int64_t, 2> offsets;
  if (isCut(a.value, v, indices))
    return offsets;
  appendPlaces(a.value, v, own);
  if (own.empty())
    return offsets;
  appendPlaces(b.value, std::nullopt, others);
  const Place &place = own.front();
  for (const Place &other : others) {
    int64_t distance = other.constant - place.constant;
    if (other.tensor != place.tensor || distance % place.coefficient != 0)
      continue;
    int64_t offset = distance / place.coefficient;
    if (!llvm::is_contained(offsets, offset))
      offsets.push_back(offset);
  }
  return offsets;
}

/// The extent of the bound variable of `b` that `v` of `a` corresponds to, if
/// all others have the same extents; one for none.
static std::optional<int64_t> getOtherExtent(const Alternative &a, Variable v,
                                             const Alternative &b,
                                             const Variables &variables) {
  SmallVector<int64_t, 4> rest;
  for (Variable other : b.bound)
    rest.push_back(variables.getExtent(other));
  for (Variable own : a.bound) {
    if (own == v)
      continue;
    auto *found = llvm::find(rest, variables.getExtent(own));
    if (found == rest.end())
      return std::nullopt;
    rest.erase(found);
  }
  if (rest.size() > 1)
    return std::nullopt;
  return rest.empty() ? 1 : rest.front();
}

Alternative Algebra::withRange(const Alternative &a, Variable v, int64_t first,
                               int64_t extent) {
  Alternative result;
  Substitution fresh(*this);
  for (Variable own : a.bound) {
    if (own == v)
      continue;
    result.bound.push_back(makeFresh(own));
    fresh.rename(own, result.bound.back());
  }
  IndexForm index = indices.constant(first);
  if (extent > 1) {
    result.bound.push_back(variables.add(extent));
    index = indices.addConstant(indices.variable(result.bound.back()), first);
  }
  fresh.map(v, std::move(index));
  result.value = fresh.apply(a.value);
  return result;
}

std::optional<Alternative>
Algebra::join(const Alternative &a, const Alternative &b, bool mayOverlap,
              llvm::function_ref<bool(Alternative)> isOther) {
  for (Variable v : a.bound) {
    std::optional<int64_t> other = getOtherExtent(a, v, b, variables);
    if (!other)
      continue;
    int64_t extent = variables.getExtent(v);
    for (int64_t offset : findOffsets(a, v, b, indices)) {
      bool isAdjacent = offset == extent || offset == -*other;
      bool overlaps = offset > -*other && offset < extent;
      if (!isAdjacent && !(mayOverlap && overlaps))
        continue;
      if (!spend() || !isOther(withRange(a, v, offset, *other)) || isStopped())
        continue;
      int64_t first = std::min<int64_t>(0, offset),
              end = std::max(extent, offset + *other);
      return withRange(a, v, first, end - first);
    }
  }
  return std::nullopt;
}

std::optional<Polynomial> Algebra::joinSums(const Monomial &a,
                                            const Monomial &b) {
  if (a.coefficient != b.coefficient || (a.bound.empty() && b.bound.empty()))
    return std::nullopt;
  if (a.bound.size() < b.bound.size())
    return joinSums(b, a);
  auto getTerm = [&](const Monomial &m) {
    return Alternative{m.bound,
                       makePolynomial(Monomial{1, {}, m.factors, 0, 1})};
  };
  auto isOther = [&](Alternative term) {
    Polynomial total = sum(term.bound, term.value);
    return !isStopped() && total.monomials.size() == 1 &&
           total.monomials[0].coefficient == Rational(1) &&
           areAlike(total.monomials[0], b);
  };
  Trial trial(*this);
  auto joined = join(getTerm(a), getTerm(b), /*mayOverlap=*/false, isOther);
  if (!joined)
    return std::nullopt;
  Polynomial total = sum(joined->bound, joined->value);
  if (isStopped())
    return std::nullopt;
  return scale(total, a.coefficient);
}

std::optional<Alternative> Algebra::joinMaxima(const Alternative &a,
                                               const Alternative &b) {
  if (a.bound.empty() && b.bound.empty())
    return std::nullopt;
  if (a.bound.size() < b.bound.size())
    return joinMaxima(b, a);
  auto isOther = [&](Alternative term) {
    nameBound(term);
    return !isStopped() && areAlike(term, b);
  };
  Trial trial(*this);
  auto joined = join(a, b, /*mayOverlap=*/true, isOther);
  if (!joined)
    return std::nullopt;
  nameBound(*joined);
  if (isStopped())
    return std::nullopt;
  return joined;
}

void Algebra::Collector::joinRanges() {
  // The monomials that are not joined with each other, by what they are but for
  // ranges.
  llvm::DenseMap<uint64_t, SmallVector<size_t, 2>> settled;
  std::deque<size_t> queue;
  for (size_t i = 0; i < monomials.size(); ++i)
    queue.push_back(i);
  while (!queue.empty() && !algebra.isStopped()) {
    size_t i = queue.front();
    queue.pop_front();
    if (monomials[i].coefficient.num == 0)
      continue;
    SmallVector<size_t, 2> &alike = settled[getSkeleton(monomials[i]) >> 1];
    std::optional<Polynomial> joined;
    for (size_t j : alike) {
      if (j == i || monomials[j].coefficient.num == 0 || !algebra.spend())
        continue;
      joined = algebra.joinSums(monomials[j], monomials[i]);
      if (!joined)
        continue;
      monomials[i].coefficient = monomials[j].coefficient = 0;
      break;
    }
    if (!joined) {
      if (!llvm::is_contained(alike, i))
        alike.push_back(i);
      continue;
    }
    for (const Monomial &m : joined->monomials)
      if (std::optional<size_t> at = add(m))
        queue.push_back(*at);
  }
}

void Algebra::joinRanges(std::vector<Alternative> &alternatives) {
  for (size_t i = 1; i < alternatives.size() && !isStopped();) {
    std::optional<Alternative> joined;
    size_t j = 0;
    for (; j < i && !joined && spend(); ++j)
      if (getSkeleton(alternatives[j].value) ==
          getSkeleton(alternatives[i].value))
        joined = joinMaxima(alternatives[j], alternatives[i]);
    if (!joined) {
      ++i;
      continue;
    }
    // The union may be next to one that was looked at before.
    alternatives.erase(alternatives.begin() + i);
    alternatives.erase(alternatives.begin() + (j - 1));
    alternatives.push_back(std::move(*joined));
    i -= 1;
  }
}

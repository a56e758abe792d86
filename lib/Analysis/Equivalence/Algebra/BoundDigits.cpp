//===- BoundDigits.cpp - How bound variables are used ---------------------===//
//
// A part of a variable is a range of its digits that all forms use as a whole.
// Parts lo and hi are digits of one number if in every form hi's coefficient
// is lo's times lo's extent.
//
//===----------------------------------------------------------------------===//

#include "BoundDigits.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::equivalence;

void BoundDigits::addForm(const IndexForm &form) {
  IndexForm ofBound;
  for (const IndexTerm &term : form.terms)
    if (llvm::is_contained(bound, term.digit.variable))
      ofBound.terms.push_back(term);
  if (!ofBound.terms.empty() && !llvm::is_contained(forms, ofBound))
    forms.push_back(std::move(ofBound));
}

void BoundDigits::addPolynomial(const Polynomial &a) {
  for (const Monomial &m : a.monomials)
    for (const Factor &factor : m.factors)
      addAtom(*factor.atom);
}

void BoundDigits::addAtom(const Atom &atom) {
  if (!usesAny(atom, bound) || !seen.insert(&atom).second)
    return;
  addForm(atom.at);
  addPolynomial(atom.argument);
  for (const Alternative &alternative : atom.alternatives)
    addPolynomial(alternative.value);
}

bool BoundDigits::split(unsigned index, std::vector<Part> &parts) const {
  Variable v = bound[index];
  int64_t extent = variables.getExtent(v);
  llvm::SmallVector<int64_t, 8> cuts{1, extent};
  for (const IndexForm &form : forms)
    for (const IndexTerm &term : form.terms) {
      if (term.digit.variable != v)
        continue;
      cuts.push_back(term.digit.stride);
      if (!indices.isHighest(term.digit))
        cuts.push_back(term.digit.stride * term.digit.extent);
    }
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  bool isChain = true;
  for (size_t i = 1; i < cuts.size(); ++i)
    isChain &= cuts[i] % cuts[i - 1] == 0;
  if (!isChain || extent == 1) {
    Part &part = parts.emplace_back();
    part.extent = extent;
    part.pieces = {{index, 1, extent}};
    part.isWhole = false;
    return true;
  }
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    Part &part = parts.emplace_back();
    part.extent = cuts[i + 1] / cuts[i];
    part.pieces = {{index, cuts[i], part.extent}};
    for (const IndexForm &form : forms) {
      int64_t &coefficient = part.column.emplace_back(0);
      for (const IndexTerm &term : form.terms) {
        const Digit &digit = term.digit;
        if (digit.variable == v && cuts[i] >= digit.stride &&
            (indices.isHighest(digit) || cuts[i] < digit.stride * digit.extent))
          coefficient += term.coefficient * (cuts[i] / digit.stride);
      }
    }
  }
  return cuts.size() == 2;
}

/// Merges two parts; false if there are none to merge.
bool BoundDigits::merge(std::vector<Part> &parts) {
  for (size_t lo = 0; lo < parts.size(); ++lo) {
    if (!parts[lo].isWhole)
      continue;
    std::optional<size_t> best;
    for (size_t hi = 0; hi < parts.size(); ++hi) {
      if (hi == lo || !parts[hi].isWhole)
        continue;
      bool fits = true;
      for (auto [low, high] : llvm::zip(parts[lo].column, parts[hi].column))
        fits &= high == low * parts[lo].extent;
      if (fits && (!best || parts[hi].extent > parts[*best].extent))
        best = hi;
    }
    if (!best)
      continue;
    parts[lo].extent *= parts[*best].extent;
    parts[lo].pieces.append(parts[*best].pieces);
    parts.erase(parts.begin() + *best);
    return true;
  }
  return false;
}

bool BoundDigits::regroup() {
  std::vector<Part> parts;
  bool isSame = true;
  for (unsigned i = 0; i < bound.size(); ++i)
    isSame &= split(i, parts);
  // Larger parts first, so that the order of the variables does not matter.
  llvm::sort(parts, [](const Part &a, const Part &b) {
    const Part::Piece &x = a.pieces.front(), &y = b.pieces.front();
    return std::tie(b.extent, x.bound, x.stride) <
           std::tie(a.extent, y.bound, y.stride);
  });
  while (merge(parts))
    ;
  if (isSame && parts.size() == bound.size())
    return false;
  llvm::SmallVector<IndexForm, 4> sums(bound.size());
  for (const Part &part : parts) {
    if (part.extent == 1)
      continue;
    Variable v = variables.add(part.extent);
    fresh.push_back(v);
    // The lowest piece is the part modulo its extent, and so on upwards.
    int64_t stride = 1;
    for (const Part::Piece &piece : part.pieces) {
      sums[piece.bound].terms.push_back(
          {piece.stride, {v, stride, piece.extent}});
      stride *= piece.extent;
    }
  }
  for (auto [v, sum] : llvm::zip(bound, sums)) {
    indices.canonicalize(sum);
    replacements.push_back({v, std::move(sum)});
  }
  return true;
}

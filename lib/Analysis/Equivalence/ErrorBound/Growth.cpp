//===- Growth.cpp - Degrees and terms of a graph's values -----------------===//
//
// Here bounds follow from those of operands.
//
//===----------------------------------------------------------------------===//

#include "Growth.h"
#include <algorithm>
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

Growth Growth::variable() {
  Growth growth;
  growth.degree = 1;
  growth.random = true;
  return growth;
}

Growth Growth::functionResult(double leaves) {
  Growth growth = variable();
  growth.function = true;
  growth.leaves = leaves;
  return growth;
}

/// Named numbers are variables, or their inverses: no more than one of them, in
/// one power.
Growth Growth::constant() {
  Growth constant;
  constant.degree = 2;
  return constant;
}

Growth equivalence::multiply(const Growth &a, const Growth &b) {
  Growth product;
  product.degree = a.degree + b.degree;
  product.denominatorDegree = a.denominatorDegree + b.denominatorDegree;
  product.terms = a.terms * b.terms;
  product.denominatorTerms = a.denominatorTerms * b.denominatorTerms;
  product.summands = a.summands * b.summands;
  product.exponential = a.exponential || b.exponential;
  product.function = a.function || b.function;
  product.functionFactor = a.functionFactor || b.functionFactor ||
                           (a.function && b.random) || (b.function && a.random);
  product.random = a.random || b.random;
  return product;
}

Growth equivalence::invert(const Growth &a) {
  Growth inverse = a;
  std::swap(inverse.degree, inverse.denominatorDegree);
  std::swap(inverse.terms, inverse.denominatorTerms);
  inverse.summands = 1;
  inverse.functionFactor = a.function;
  inverse.leaves = 0;
  return inverse;
}

Growth equivalence::add(const Growth &a, const Growth &b) {
  Growth sum;
  sum.degree =
      std::max(a.degree + b.denominatorDegree, b.degree + a.denominatorDegree);
  sum.denominatorDegree = a.denominatorDegree + b.denominatorDegree;
  sum.terms = a.terms * b.denominatorTerms + b.terms * a.denominatorTerms;
  sum.denominatorTerms = a.denominatorTerms * b.denominatorTerms;
  sum.summands = a.summands + b.summands;
  sum.exponential = a.exponential || b.exponential;
  sum.function = a.function || b.function;
  sum.functionFactor = a.functionFactor || b.functionFactor;
  sum.random = a.random || b.random;
  return sum;
}

Growth equivalence::addMany(const Growth &a, double count) {
  Growth sum = a;
  sum.leaves = 0;
  sum.summands = a.summands * count;
  sum.degree = a.degree + a.denominatorDegree * (count - 1);
  sum.denominatorDegree = a.denominatorDegree * count;
  if (!a.exponential)
    return sum;
  sum.terms = count * a.terms * std::pow(a.denominatorTerms, count - 1);
  sum.denominatorTerms = std::pow(a.denominatorTerms, count);
  return sum;
}

Growth equivalence::either(const Growth &a, const Growth &b) {
  Growth both;
  both.degree = std::max(a.degree, b.degree);
  both.denominatorDegree = std::max(a.denominatorDegree, b.denominatorDegree);
  both.terms = std::max(a.terms, b.terms);
  both.denominatorTerms = std::max(a.denominatorTerms, b.denominatorTerms);
  both.summands = std::max(a.summands, b.summands);
  both.exponential = a.exponential || b.exponential;
  both.function = a.function || b.function;
  both.functionFactor = a.functionFactor || b.functionFactor;
  both.random = a.random || b.random;
  // The value is a maximum only if all of it is.
  if (a.leaves > 0 && b.leaves > 0)
    both.leaves = std::max(a.leaves, b.leaves);
  return both;
}

//===- IndexSet.h - Sets of small numbers in one word -----------*- C++ -*-===//
//
// A set of numbers that are smaller than a word has bits, and as cheap as the
// word. The tag names what is numbered, so that a set of axes is no set of
// loops.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_INDEXSET_H
#define MIRAGE_SUPPORT_INDEXSET_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"
#include <cassert>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>

namespace mirage {

template <typename Tag, typename Word = uint64_t> class IndexSet {
public:
  /// All members are smaller.
  static constexpr unsigned kEnd = std::numeric_limits<Word>::digits;

  constexpr IndexSet() = default;
  constexpr IndexSet(std::initializer_list<unsigned> members) {
    for (unsigned member : members)
      insert(member);
  }
  /// The set of all numbers below `count`.
  static constexpr IndexSet getBelow(unsigned count) {
    assert(count <= kEnd && "the word has too few bits");
    IndexSet set;
    set.word = count ? static_cast<Word>(kAll >> (kEnd - count)) : Word(0);
    return set;
  }

  constexpr bool empty() const { return word == 0; }
  constexpr unsigned size() const { return llvm::popcount(word); }
  constexpr bool contains(unsigned index) const {
    return index < kEnd && (word >> index & 1);
  }
  constexpr bool isSubsetOf(IndexSet other) const {
    return (*this - other).empty();
  }
  constexpr bool intersects(IndexSet other) const {
    return !(*this & other).empty();
  }

  constexpr void insert(unsigned index) {
    assert(index < kEnd && "the word has too few bits");
    word = static_cast<Word>(word | Word(1) << index);
  }
  constexpr void erase(unsigned index) { *this -= IndexSet({index}); }

  constexpr IndexSet &operator|=(IndexSet other) {
    word = static_cast<Word>(word | other.word);
    return *this;
  }
  constexpr IndexSet &operator&=(IndexSet other) {
    word = static_cast<Word>(word & other.word);
    return *this;
  }
  constexpr IndexSet &operator-=(IndexSet other) {
    word = static_cast<Word>(word & ~other.word);
    return *this;
  }
  friend constexpr IndexSet operator|(IndexSet a, IndexSet b) { return a |= b; }
  friend constexpr IndexSet operator&(IndexSet a, IndexSet b) { return a &= b; }
  friend constexpr IndexSet operator-(IndexSet a, IndexSet b) { return a -= b; }

  constexpr bool operator==(const IndexSet &other) const = default;
  /// Sets are ordered by their largest different member.
  constexpr auto operator<=>(const IndexSet &other) const = default;

  /// The set as a number, for keys of tables.
  constexpr Word getBits() const { return word; }

  /// Members in increasing order.
  class Iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = unsigned;
    using difference_type = std::ptrdiff_t;
    using pointer = const unsigned *;
    using reference = unsigned;

    constexpr Iterator() = default;
    constexpr explicit Iterator(Word rest) : rest(rest) {}
    constexpr unsigned operator*() const { return llvm::countr_zero(rest); }
    constexpr Iterator &operator++() {
      rest = static_cast<Word>(rest & (rest - 1));
      return *this;
    }
    constexpr Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    constexpr bool operator==(const Iterator &other) const = default;

  private:
    Word rest = 0;
  };
  constexpr Iterator begin() const { return Iterator(word); }
  constexpr Iterator end() const { return Iterator(); }

  /// Calls `visit` with the subsets that have at most so many members, in
  /// increasing order, until it returns false. Subsets with more members are
  /// passed over all at once: of 30 numbers there are 4,526 subsets of at most
  /// three, and a billion of any number.
  void forEachSubset(unsigned most,
                     llvm::function_ref<bool(IndexSet)> visit) const {
    IndexSet subset;
    do {
      if (!visit(subset))
        return;
      // Until the least member is carried on, all subsets that follow have
      // these members and more. Numbers that are not in the set pass carries
      // on.
      Word least = static_cast<Word>(subset.word & (~subset.word + 1));
      Word step = subset.size() >= most ? least : Word(1);
      subset.word = static_cast<Word>(((subset.word | ~word) + step) & word);
    } while (!subset.empty());
  }

private:
  static constexpr Word kAll = std::numeric_limits<Word>::max();

  Word word = 0;
};

} // namespace mirage

#endif // MIRAGE_SUPPORT_INDEXSET_H

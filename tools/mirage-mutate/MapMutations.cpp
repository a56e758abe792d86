//===- MapMutations.cpp - imap, fmap, omap, extents -----------------------===//
//
// Makes mutants whose tensors are cut or put together along other dimensions,
// and whose grids and loops have other extents. Where a load's entry becomes
// phi, so that tiles get larger, a slice makes them fit: then all blocks or
// iterations read one part.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interfaces/GraphOps.h"
#include "Mutation.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::Twine;

using Map = llvm::SmallVectorImpl<int64_t>;
using GetMap = std::function<Map &(Draft &)>;

/// Lists mutants with other entries, and with two entries exchanged.
static void listEntries(Mutations &list, MutationKind kind, unsigned node,
                        llvm::ArrayRef<int64_t> map,
                        llvm::ArrayRef<int64_t> entries, const GetMap &get) {
  for (size_t i = 0; i < map.size(); ++i) {
    for (int64_t entry : entries)
      if (entry != map[i])
        list.push_back(
            {kind, node,
             (Twine("entry ") + Twine(i) + " from " + getMapEntryName(map[i]) +
              " to " + getMapEntryName(entry))
                 .str(),
             [=](Draft &draft) { get(draft)[i] = entry; }});
    for (size_t j = 0; j < i; ++j)
      if (map[i] != map[j])
        list.push_back(
            {kind, node,
             (Twine("entries ") + Twine(j) + " and " + Twine(i) + " exchanged")
                 .str(),
             [=](Draft &draft) { std::swap(get(draft)[i], get(draft)[j]); }});
  }
}

/// Lists mutants in which everyone reads the same part: phi, and a slice of the
/// larger tile.
static void listSameParts(Mutations &list, MutationKind kind,
                          const Draft &draft, unsigned node,
                          llvm::ArrayRef<int64_t> map, const GetMap &get) {
  MuValue result = draft.nodes[node].results[0];
  Shape tile(draft.getShape(result));
  for (size_t i = 0; i < map.size(); ++i) {
    if (map[i] < 0)
      continue;
    int64_t dim = map[i];
    int64_t size = draft.values[draft.nodes[node].operands[0]].shape[dim];
    // A part that is cut again by others is left out.
    if (llvm::count_if(map, [&](int64_t e) { return e == dim; }) > 1 ||
        size % tile[dim])
      continue;
    for (bool last : {false, true})
      list.push_back({kind, node,
                      (Twine("entry ") + Twine(i) +
                       " to phi, and of dimension " + Twine(dim) + " the " +
                       (last ? "last" : "first") + " elements for all")
                          .str(),
                      [=](Draft &d) {
                        get(d)[i] = kReplica;
                        OpAttributes slice;
                        slice.offsets.assign(tile.size(), 0);
                        slice.offsets[dim] = last ? size - tile[dim] : 0;
                        slice.sizes.assign(tile.begin(), tile.end());
                        slice.strides.assign(tile.size(), 1);
                        unsigned added = d.nodes.size();
                        MuValue part = d.insertAfter(node, OpKind::Slice, slice,
                                                     {result}, tile);
                        d.replaceUses(result, part, added);
                      }});
  }
}

void mutate::listMapMutations(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    unsigned number = site.node;
    const MuNode &node = draft.nodes[number];
    llvm::SmallVector<int64_t> entries;
    if (!node.operands.empty())
      for (size_t dim = 0; dim < draft.getShape(node.operands[0]).size(); ++dim)
        entries.push_back(static_cast<int64_t>(dim));
    if (node.kind == MuNode::Kind::Load) {
      entries.push_back(kReplica);
      const TileMaps &maps = draft.maps[number];
      GetMap imap = [=](Draft &d) -> Map & { return d.maps[number].imap; };
      GetMap fmap = [=](Draft &d) -> Map & { return d.maps[number].fmap; };
      listEntries(list, MutationKind::IMap, number, maps.imap, entries, imap);
      listEntries(list, MutationKind::FMap, number, maps.fmap, entries, fmap);
      listSameParts(list, MutationKind::IMap, draft, number, maps.imap, imap);
      listSameParts(list, MutationKind::FMap, draft, number, maps.fmap, fmap);
    }
    if (node.kind != MuNode::Kind::Store)
      continue;
    GetMap omap = [=](Draft &d) -> Map & { return d.nodes[number].omap; };
    entries.push_back(kReplica);
    entries.push_back(kReduceSum);
    listEntries(list, MutationKind::OMap, number, node.omap, entries, omap);
    for (auto [from, to] :
         {std::pair(kReduceSum, kReduceMax), std::pair(kReduceMax, kReduceSum)})
      if (llvm::is_contained(node.omap, from))
        list.push_back(
            {MutationKind::StoreReduction, number,
             getMapEntryName(from) + " becomes " + getMapEntryName(to),
             [=](Draft &d) {
               llvm::replace(omap(d), int64_t(from), int64_t(to));
             }});
  }
}

void mutate::listExtentMutations(const Draft &draft, Mutations &list) {
  for (const Site &site : draft.getSites()) {
    unsigned number = site.node;
    const MuNode &node = draft.nodes[number];
    if (node.kind != MuNode::Kind::Graph && node.kind != MuNode::Kind::Loop)
      continue;
    MutationKind kind = node.kind == MuNode::Kind::Graph
                            ? MutationKind::Grid
                            : MutationKind::LoopExtent;
    for (size_t i = 0; i < node.extents.size(); ++i) {
      int64_t extent = node.extents[i];
      for (int64_t other : {extent / 2, extent * 2, int64_t(1)})
        if (other != extent && other > 0)
          list.push_back(
              {kind, number,
               (Twine("extent ") + Twine(i) + " from " + Twine(extent) +
                " to " + Twine(other))
                   .str(),
               [=](Draft &d) { d.nodes[number].extents[i] = other; }});
      for (size_t j = 0; j < i; ++j)
        list.push_back({kind, number,
                        (Twine("dimensions ") + Twine(j) + " and " + Twine(i) +
                         " exchanged")
                            .str(),
                        [=](Draft &d) {
                          auto &extents = d.nodes[number].extents;
                          std::swap(extents[i], extents[j]);
                        }});
    }
  }
}

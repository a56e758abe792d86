//===- Draft.cpp - µGraphs that can be edited -----------------------------===//
//
// Copies a graph into a draft and edits it; building is in Build.cpp.
//
//===----------------------------------------------------------------------===//

#include "Draft.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::ArrayRef;

namespace {
/// Collects sites, or what is known at them.
class Walker {
public:
  explicit Walker(const Draft &draft) : draft(draft) {}

  void visit(unsigned region, Site here) {
    const MuRegion &body = draft.regions[region];
    here.region = region;
    if (region == 0)
      here.visible.assign(body.arguments.begin(), body.arguments.end());
    for (unsigned node : body.nodes) {
      here.node = node;
      sites.push_back(here);
      const MuNode &n = draft.nodes[node];
      if (n.kind == MuNode::Kind::Graph) {
        Site inner;
        inner.grid = n.extents;
        const auto &arguments = draft.regions[n.body].arguments;
        inner.arguments.assign(arguments.begin(), arguments.end());
        visit(n.body, inner);
      }
      if (n.kind == MuNode::Kind::Loop) {
        Site inner = here;
        inner.loops.push_back(n.extents[0]);
        visit(n.body, inner);
      }
      // The results of these two are their region's results only.
      if (n.kind != MuNode::Kind::Accumulate && n.kind != MuNode::Kind::Store)
        here.visible.append(n.results.begin(), n.results.end());
    }
  }

  std::vector<Site> sites;

private:
  const Draft &draft;
};
} // namespace

Draft::Draft(const MuGraph &graph) {
  for (MuValue value = 0; value < graph.getNumValues(); ++value)
    values.push_back(graph.getValue(value));
  for (unsigned node = 0; node < graph.getNumNodes(); ++node)
    nodes.push_back(graph.getNode(node));
  for (unsigned region = 0; region < graph.getNumRegions(); ++region)
    regions.push_back(graph.getRegion(region));
  maps.resize(nodes.size());
  for (const Site &site : getSites()) {
    const MuNode &node = nodes[site.node];
    if (node.kind != MuNode::Kind::Load)
      continue;
    std::string error;
    maps[site.node] = *getTileMaps(getShape(node.operands[0]), node.partition,
                                   site.grid, site.loops, error);
  }
}

std::vector<Site> Draft::getSites() const {
  Walker walker(*this);
  walker.visit(0, {});
  return walker.sites;
}

MuValue Draft::insert(unsigned node, unsigned offset, OpKind op,
                      const OpAttributes &attributes,
                      ArrayRef<MuValue> operands, ShapeRef shape) {
  ElementType type = operands.empty() ? values[nodes[node].results[0]].type
                                      : values[operands[0]].type;
  // Inserted constants are of f64; what they are combined with keeps its type.
  for (MuValue operand : llvm::reverse(operands))
    if (values[operand].type != ElementType::f64)
      type = values[operand].type;
  MuNode added;
  added.op = op;
  added.attributes = attributes;
  added.operands.assign(operands.begin(), operands.end());
  added.location = nodes[node].location;
  values.push_back({Shape(shape), type});
  MuValue result = values.size() - 1;
  added.results = {result};
  nodes.push_back(std::move(added));
  maps.emplace_back();
  for (MuRegion &region : regions) {
    auto at = llvm::find(region.nodes, node);
    if (at == region.nodes.end())
      continue;
    region.nodes.insert(at + offset, nodes.size() - 1);
    break;
  }
  return result;
}

MuValue Draft::insertBefore(unsigned node, OpKind op,
                            const OpAttributes &attributes,
                            ArrayRef<MuValue> operands, ShapeRef shape) {
  return insert(node, 0, op, attributes, operands, shape);
}

MuValue Draft::insertAfter(unsigned node, OpKind op,
                           const OpAttributes &attributes,
                           ArrayRef<MuValue> operands, ShapeRef shape) {
  return insert(node, 1, op, attributes, operands, shape);
}

MuValue Draft::insertConstantBefore(unsigned node, double value, size_t rank,
                                    ElementType type) {
  OpAttributes attributes;
  attributes.resultShape.assign(rank, 1);
  attributes.values = std::make_shared<const std::vector<double>>(1, value);
  MuValue result =
      insert(node, 0, OpKind::Constant, attributes, {}, attributes.resultShape);
  values[result].type = type;
  return result;
}

void Draft::replaceUses(MuValue value, MuValue by,
                        std::optional<unsigned> except) {
  for (auto [number, node] : llvm::enumerate(nodes))
    if (number != except)
      llvm::replace(node.operands, value, by);
  for (MuRegion &region : regions)
    llvm::replace(region.results, value, by);
}

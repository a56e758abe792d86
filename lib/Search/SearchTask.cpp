//===- SearchTask.cpp - What is searched for ------------------------------===//
//
// Makes views of a program, and problems of them: without slices and
// concatenations, with results as one stack, with quotients behind products,
// and with rows padded that nothing divides. A candidate of a view becomes a
// graph of the program.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/Search/Problem/CanonicalProgram.h"
#include "Mirage/Search/Problem/ParallelResults.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Search/Problem/StackedResults.h"
#include "Mirage/Search/Superoptimizer.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;

/// Returns the program with its nodes' numbers for locations.
static MuGraph locateByNumber(const MuGraph &program) {
  MuGraph result;
  for (MuValue value = 0; value < program.getNumValues(); ++value)
    result.addValue(program.getShape(value), program.getValue(value).type);
  result.setArguments(0, program.getRegion().arguments);
  for (unsigned number = 0; number < program.getNumNodes(); ++number) {
    MuNode node = program.getNode(number);
    node.location = number;
    result.addNode(0, std::move(node));
  }
  result.setResults(0, program.getRegion().results);
  return result;
}

namespace {
/// This says which axes columns have of products of one value that are of
/// unlike widths. They have axes of their own, but for windows of one tensor,
/// or one in common for the columns of a unit.
enum class Columns { Apart, InUnits };
} // namespace

/// Makes a view of what is searched for, if the search has all its operators.
static std::optional<SearchTask::View>
createProblem(ProgramView view, Columns columns, std::string &reason,
              std::optional<unsigned> &location) {
  view = peelReshapes(splitSlices(view).value_or(view));
  if (std::optional<ProgramView> joined = joinAxes(view))
    view = std::move(*joined);
  if (std::optional<ProgramView> separated = separateAxes(view))
    view = std::move(*separated);
  // Dimensions that are alike beside the program's operators may give a value
  // an axis twice. Then each is an axis of its own.
  std::vector<AlikeDims> alike = getAlikeDims(view);
  if (columns == Columns::InUnits) {
    std::vector<AlikeDims> units = findColumnUnits(view);
    if (units.empty())
      return std::nullopt;
    llvm::append_range(alike, units);
  }
  std::optional<SearchProblem> problem;
  if (!alike.empty())
    problem = SearchProblem::create(view.program, reason, location, alike);
  if (!problem && columns == Columns::InUnits)
    return std::nullopt;
  if (!problem) {
    alike.clear();
    problem = SearchProblem::create(view.program, reason, location);
  }
  if (!problem)
    return std::nullopt;
  if (std::vector<AlikeDims> parallel =
          findParallelDims(*problem, view.program);
      !parallel.empty()) {
    llvm::append_range(alike, parallel);
    std::string unused;
    std::optional<unsigned> where;
    if (auto united = SearchProblem::create(view.program, unused, where, alike))
      problem = std::move(united);
  }
  stackResults(view, *problem);
  return SearchTask::View{std::move(view), std::move(*problem)};
}

/// Makes a problem of a view with results as one stack; nothing if there are
/// none that are alike.
static std::optional<SearchTask::View> createStacked(const ProgramView &view) {
  std::optional<ProgramView> stacked = stackAlikeResults(view);
  if (!stacked)
    return std::nullopt;
  *stacked = peelReshapes(*stacked);
  std::string reason;
  std::optional<unsigned> location;
  std::optional<SearchProblem> problem =
      SearchProblem::create(stacked->program, reason, location);
  if (!problem)
    return std::nullopt;
  AxisSet separate;
  for (auto [input, tensor] :
       llvm::zip_equal(stacked->inputs, problem->getInputs()))
    if (!input.stack.empty()) {
      // The stack's dimension must be an axis that nothing sums over.
      if (tensor.layout.empty() || tensor.layout.front().size() != 1 ||
          problem->isSummed(tensor.layout.front().front()))
        return std::nullopt;
      separate.insert(tensor.layout.front().front());
    }
  problem->setSeparateAxes(separate);
  return SearchTask::View{std::move(*stacked), std::move(*problem)};
}

/// Makes of a part of the program what is searched for, without slices and
/// concatenations or with those that it has.
static std::optional<SearchTask::View>
createView(const ProgramView &part, bool separatesParts, std::string &reason,
           std::optional<unsigned> &location,
           Columns columns = Columns::Apart) {
  // What follows copies nodes, and nothing of the bodies that they may have. A
  // program with launches is no problem, and the reason says so.
  if (part.program.getNumRegions() > 1) {
    SearchProblem::create(part.program, reason, location);
    return std::nullopt;
  }
  ProgramView view = splitStrides(part).value_or(part);
  view = removeRepeats(view).value_or(view);
  if (!separatesParts)
    return createProblem(std::move(view), columns, reason, location);
  std::optional<ProgramView> separated = separateParts(peelReshapes(view));
  if (!separated)
    return std::nullopt;
  return createProblem(std::move(*separated), columns, reason, location);
}

/// Adds a view, the one in which its results are a stack, if they can be, and
/// the one in which quotients are behind products.
static void addView(SearchTask &task, SearchTask::View view) {
  std::optional<SearchTask::View> stacked = createStacked(view.view);
  std::optional<SearchProblem> lifted =
      SearchProblem::createLifted(view.view.program);
  ProgramView own = view.view;
  task.views.push_back(std::move(view));
  if (stacked)
    task.views.push_back(std::move(*stacked));
  if (lifted)
    task.views.push_back(
        {std::move(own), std::move(*lifted), /*isDirectOnly=*/true});
}

/// Adds the views of a part of the program, and those with axes padded. Returns
/// whether the part has views.
static bool addViews(SearchTask &task, const ProgramView &part,
                     bool separatesParts, std::string &reason,
                     std::optional<unsigned> &location) {
  std::optional<SearchTask::View> view =
      createView(part, separatesParts, reason, location);
  if (!view)
    return false;
  addView(task, std::move(*view));
  std::string unused;
  std::optional<unsigned> where;
  if (std::optional<ProgramView> padded = padAxes(part, task.program))
    if (auto own = createView(*padded, separatesParts, unused, where))
      addView(task, std::move(*own));
  // Launches that follow the program need no enumeration of so many results.
  auto addDirect = [&](std::optional<SearchTask::View> own) {
    size_t before = task.views.size();
    if (own)
      addView(task, std::move(*own));
    for (SearchTask::View &view :
         llvm::MutableArrayRef(task.views).drop_front(before))
      view.isDirectOnly = true;
  };
  if (std::optional<ProgramView> divided = divideResults(part))
    addDirect(createView(*divided, /*separatesParts=*/true, unused, where));
  if (hasUnlikeColumns(part.program))
    addDirect(
        createView(part, separatesParts, unused, where, Columns::InUnits));
  return true;
}

std::optional<SearchTask>
SearchTask::create(const MuGraph &program, std::string &reason,
                   std::optional<unsigned> &location) {
  SearchTask task;
  task.program = program;
  // Launches have nodes and regions of their own, and are not searched.
  bool isFlat = program.getNumRegions() == 1;
  MuGraph canonical = canonicalizeProgram(program, RowGroups::Separate);
  MuGraph located = isFlat ? locateByNumber(canonical) : canonical;
  llvm::SmallVector<unsigned> kept;
  std::optional<ProgramView> part;
  if (isFlat && findCopiedResults(located, kept))
    part = cutEdges(located, kept);
  if (!part)
    part = getWholeView(located);
  for (bool isFirst = true; part;
       part = cutEdges(located, kept), isFirst = false) {
    std::string why;
    std::optional<unsigned> where;
    // Where parts take more operators, they may take too many, and the program
    // is searched for as it is written, too.
    if (task.views.empty())
      addViews(task, *part, /*separatesParts=*/true, why, where);
    if (!task.views.empty() && !task.views.front().view.sumsOverParts)
      return task;
    why.clear();
    where.reset();
    if (addViews(task, *part, /*separatesParts=*/false, why, where))
      return task;
    // What the view adds to the program is no node of it.
    if (where && *where >= canonical.getNumNodes())
      where.reset();
    if (isFirst) {
      reason = why;
      if (where)
        location = isFlat ? canonical.getNode(*where).location : *where;
    }
    if (!isFlat || !where || llvm::is_contained(kept, *where))
      break;
    kept.push_back(*where);
  }
  if (task.views.empty())
    return std::nullopt;
  return task;
}

MuGraph mirage::search::instantiate(const SearchTask &task,
                                    const JudgedCandidate &candidate) {
  const SearchTask::View &view = task.views[candidate.view];
  // Sums that a division and a product took apart may be the same sums.
  return applyView(task.program, view.view,
                   mergeEqualNodes(instantiate(
                       view.problem, candidate.candidate, candidate.sizes)));
}

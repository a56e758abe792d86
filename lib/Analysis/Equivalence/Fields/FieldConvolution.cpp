//===- FieldConvolution.cpp - Convolutions over a prime field -------------===//
//
// A convolution is a product of matrices for each group: the filter, and what
// it reads at each position of the result. The latter is made for some rows of
// the result at a time, so that it takes little memory.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldTensor.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

/// The sizes of images, and the distances between their elements along each
/// dimension, whatever the order of dimensions.
struct Images {
  Images(ShapeRef shape, bool isChannelsFirst)
      : count(shape[0]), channels(shape[isChannelsFirst ? 1 : 3]),
        rows(shape[isChannelsFirst ? 2 : 1]),
        columns(shape[isChannelsFirst ? 3 : 2]),
        channelStep(isChannelsFirst ? rows * columns : 1),
        rowStep(isChannelsFirst ? columns : columns * channels),
        columnStep(isChannelsFirst ? 1 : channels) {}

  int64_t getSize() const { return channels * rows * columns; }

  int64_t count, channels, rows, columns;
  int64_t channelStep, rowStep, columnStep;
};

} // namespace

/// Returns the images with zeros around them.
static FieldTensor padImages(const Execution &execution,
                             const OpAttributes &attributes,
                             const FieldTensor &input, bool isChannelsFirst) {
  if (llvm::all_of(attributes.convPadding, [](int64_t p) { return !p; }))
    return input;
  Shape shape = input.shape;
  unsigned row = isChannelsFirst ? 2 : 1;
  for (unsigned i = 0; i < 2; ++i)
    shape[row + i] +=
        attributes.convPadding[2 * i] + attributes.convPadding[2 * i + 1];
  FieldTensor padded(shape);
  std::fill_n(padded.data.get(), padded.size(), 0);
  Images from(input.shape, isChannelsFirst), to(shape, isChannelsFirst);
  int64_t first = attributes.convPadding[0] * to.rowStep +
                  attributes.convPadding[2] * to.columnStep;
  // Elements of a row lie beside each other in both orders.
  int64_t planes = isChannelsFirst ? from.count * from.channels : from.count,
          length = isChannelsFirst ? from.columns : from.rowStep;
  execution.forEach(planes, [&](int64_t plane) {
    for (int64_t i = 0; i < from.rows; ++i)
      std::memcpy(padded.data.get() + plane * to.rows * to.rowStep + first +
                      i * to.rowStep,
                  input.data.get() + (plane * from.rows + i) * from.rowStep,
                  length * sizeof(uint64_t));
  });
  return padded;
}

FieldTensor equivalence::convolve(const Execution &execution,
                                  const PrimeField &field,
                                  const OpAttributes &attributes,
                                  const FieldTensor &input,
                                  const FieldTensor &filter, ShapeRef shape,
                                  FieldUnit unit) {
  bool isChannelsFirst = attributes.convLayout == ConvLayout::NCHW;
  FieldTensor padded = padImages(execution, attributes, input, isChannelsFirst);
  Images in(padded.shape, isChannelsFirst), out(shape, isChannelsFirst);
  int64_t groups = attributes.convGroups, groupIn = in.channels / groups,
          groupOut = out.channels / groups;
  unsigned row = isChannelsFirst ? 2 : 0;
  int64_t taps[] = {filter.shape[row], filter.shape[row + 1]};
  int64_t depth = groupIn * taps[0] * taps[1];

  // The filter as [group, the group's result channel, channel, row, column].
  int64_t area = taps[0] * taps[1], outStep = isChannelsFirst ? depth : 1,
          inStep = isChannelsFirst ? area : out.channels,
          tapStep = isChannelsFirst ? 1 : groupIn * out.channels;
  FieldTensor weights = view(
      execution, filter, {groups, groupOut, groupIn, taps[0], taps[1]},
      {groupOut * outStep, outStep, inStep, taps[1] * tapStep, tapStep}, 0);
  weights.shape = {groups, groupOut, depth};

  // What is read at some rows of the result has so many elements at most, if
  // one row has not more.
  constexpr int64_t kMostElements = 1 << 22;
  int64_t mostRows = std::clamp<int64_t>(
      kMostElements / (groups * depth * out.columns), 1, out.rows);
  FieldTensor result{Shape(shape)};
  for (int64_t image = 0; image < out.count; ++image)
    for (int64_t first = 0; first < out.rows; first += mostRows) {
      int64_t rows = std::min(mostRows, out.rows - first),
              positions = rows * out.columns;
      // [group, channel, row and column of the filter, position].
      FieldTensor read =
          view(execution, padded,
               {groups, groupIn, taps[0], taps[1], rows, out.columns},
               {groupIn * in.channelStep, in.channelStep,
                attributes.convDilations[0] * in.rowStep,
                attributes.convDilations[1] * in.columnStep,
                attributes.convStrides[0] * in.rowStep,
                attributes.convStrides[1] * in.columnStep},
               image * in.getSize() +
                   first * attributes.convStrides[0] * in.rowStep);
      read.shape = {groups, depth, positions};
      FieldTensor product =
          multiply(execution, field, weights, read, /*transposeLhs=*/false,
                   /*transposeRhs=*/false, {groups, groupOut, positions}, unit);
      const uint64_t *from = product.data.get();
      uint64_t *to =
          result.data.get() + image * out.getSize() + first * out.rowStep;
      execution.forEach(out.channels, [&](int64_t channel) {
        for (int64_t i = 0; i < positions; ++i)
          to[channel * out.channelStep + i * out.columnStep] =
              from[channel * positions + i];
      });
    }
  return result;
}

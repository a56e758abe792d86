//===- FragmentExchange.cpp - Elements that lanes exchange, to NVVM -------===//
//
// Emits mirage_thread.exchange_lanes as shuffles: for each bit of the exchanged
// digit, lanes that differ in it exchange half of their registers.
//
//===----------------------------------------------------------------------===//

#include "FragmentEmitter.h"
#include "Mirage/Schedule/LaneExchange.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mirage;

namespace {
/// Exchanges values of 32 bits.
class Exchanger {
public:
  Exchanger(OpBuilder &builder, Location loc, Value lane,
            const LaneExchange &exchange)
      : builder(builder), loc(loc), exchange(exchange) {
    // The bit of the lane that each bit of the digit is.
    for (int64_t bit = 1; bit < exchange.size; bit *= 2) {
      Value masked = arith::AndIOp::create(
          builder, loc, lane,
          constant(lane.getType(), bit * exchange.distance));
      isSet.push_back(arith::CmpIOp::create(builder, loc,
                                            arith::CmpIPredicate::ne, masked,
                                            constant(lane.getType(), 0)));
    }
  }

  /// Replaces value j of these, which goes to lane j of those that exchange, by
  /// what comes from that lane.
  void run(MutableArrayRef<Value> values) {
    for (auto [place, set] : llvm::enumerate(isSet)) {
      int64_t bit = int64_t(1) << place;
      for (int64_t i = 0; i < exchange.size; ++i) {
        if (i & bit)
          continue;
        Value &low = values[i], &high = values[i | bit];
        Value sent = select(set, low, high);
        Value received = shuffle(sent, bit * exchange.distance);
        Value kept = select(set, high, low);
        low = select(set, received, kept);
        high = select(set, kept, received);
      }
    }
  }

private:
  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value shuffle(Value value, int64_t distance) {
    constexpr int64_t allLanes = -1;
    Type i32 = builder.getI32Type();
    return NVVM::ShflOp::create(builder, loc, i32, constant(i32, allLanes),
                                value, constant(i32, distance),
                                constant(i32, RegisterLayout::kWarpSize - 1),
                                NVVM::ShflKind::bfly, UnitAttr());
  }

  OpBuilder &builder;
  Location loc;
  const LaneExchange &exchange;
  SmallVector<Value> isSet;
};
} // namespace

/// Returns true if registers 2 i and 2 i + 1 go the same way, so that two of 16
/// bits are exchanged together: behind the group of each even register stands
/// that of its odd neighbours.
static bool goInPairs(const LaneExchange &exchange) {
  auto size = static_cast<size_t>(exchange.size);
  if (exchange.from.size() % (2 * size))
    return false;
  for (size_t group = 0; group < exchange.from.size(); group += 2 * size)
    for (size_t i = group; i < group + size; ++i)
      for (const std::vector<int64_t> &numbers : {exchange.from, exchange.to})
        if (numbers[i] % 2 || numbers[i + size] != numbers[i] + 1)
          return false;
  return true;
}

LogicalResult FragmentEmitter::emit(thread::ExchangeLanesOp op) {
  LaneExchange exchange = *findLaneExchange(
      *getLayout(op.getTile().getType()), *getLayout(op.getResult().getType()));
  Location loc = op.getLoc();
  IRSystem s(builder, loc, emitter.indexType, builder.getF32Type());
  ArrayRef<Value> values = registers[op.getTile()];
  Type storage = values.front().getType();
  unsigned bits = storage.getIntOrFloatBitWidth();
  if (bits != 16 && bits != 32)
    return op.emitOpError(
        "exchanges elements that have neither 16 nor 32 bits");
  bool inPairs = bits == 16 && goInPairs(exchange);
  Type i32 = builder.getI32Type();
  auto encode = [&](int64_t number) -> Value {
    if (inPairs)
      return LLVM::BitcastOp::create(
          builder, loc, i32, pack(values[number], values[number + 1], loc));
    Type integer = builder.getIntegerType(bits);
    Value value = values[number];
    if (storage != integer)
      value = LLVM::BitcastOp::create(builder, loc, integer, value);
    if (bits < 32)
      value = LLVM::ZExtOp::create(builder, loc, i32, value);
    return value;
  };
  SmallVector<Value> result(values.size());
  auto decode = [&](int64_t number, Value value) {
    if (inPairs) {
      Value pair = LLVM::BitcastOp::create(builder, loc,
                                           VectorType::get(2, storage), value);
      for (int32_t i : {0, 1})
        result[number + i] = LLVM::ExtractElementOp::create(
            builder, loc, pair,
            LLVM::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(i)));
      return;
    }
    if (bits < 32)
      value = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(bits),
                                    value);
    if (value.getType() != storage)
      value = LLVM::BitcastOp::create(builder, loc, storage, value);
    result[number] = value;
  };
  Exchanger exchanger(builder, loc, getLane(s), exchange);
  int64_t size = exchange.size;
  for (size_t group = 0; group < exchange.from.size(); group += size) {
    // The odd registers go with the even ones.
    if (inPairs && exchange.from[group] % 2)
      continue;
    SmallVector<Value> own;
    for (int64_t i = 0; i < size; ++i)
      own.push_back(encode(exchange.from[group + i]));
    exchanger.run(own);
    for (int64_t i = 0; i < size; ++i)
      decode(exchange.to[group + i], own[i]);
  }
  registers[op.getResult()] = std::move(result);
  return success();
}

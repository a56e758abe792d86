//===- ThreadFragments.td - Tiles in registers -------------*- tablegen -*-===//
//
// Defines the layout of tiles that lie in the registers of a block's threads,
// and the operations that move such tiles and multiply them. Everything else
// that is done with them are the dialect's compute operators.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_IR_THREADFRAGMENTS
#define MIRAGE_DIALECT_THREAD_IR_THREADFRAGMENTS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

def Thread_LayoutParameter : AttrParameter<"::mirage::RegisterLayout",
    "how a tile lies in registers", "const ::mirage::RegisterLayout &">;

def Thread_LayoutAttr : AttrDef<Thread_Dialect, "Layout", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "how a tile lies in registers";
  let description = [{
    The encoding of a tensor whose elements are in the registers of a block's
    threads. The number of a register in its lane, of a lane in its warp and of
    a warp in its block are each read as digits, those that change fastest
    first. A digit `2 d1:8` has two values, and a step of it is 8 elements along
    dimension 1; places that differ in a digit `4 phi` hold the same element.

    ```mlir
    // The accumulator of mma.m16n8k16, 64 rows shared by four warps.
    #accumulator = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8],
        lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
    %0 = mirage_thread.exp %s : (tensor<64x64xf32, #accumulator>)
        -> tensor<64x64xf32, #accumulator>
    ```

    Constraints:
    * (layout_c1) the lanes are 32;
    * (layout_c2) each element has a place: along each dimension the strides,
      in ascending order, are the products of the sizes before, and all digits
      together reach as far as the dimension.

    Places beyond the end of a dimension are legal; they hold nothing.
  }];
  let parameters = (ins Thread_LayoutParameter:$layout);
  let hasCustomAssemblyFormat = 1;
}

def Thread_LoadFragmentOp : Op<Thread_Dialect, "load_fragment", [
    MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a tile from memory into registers";
  let description = [{
    Reads the box of the result's shape that begins at `offsets`; the leading
    dimensions of `source` that the result does not have are indexed by the
    first offsets. From shared memory, 16-bit elements in a fragment of a matrix
    instruction come by `ldmatrix` (PTX ISA).

    Of the box, only the first `exist` elements along each dimension are there, where
    that is given, and along the dimensions in `clipped` only those that are not beyond
    the end of the source. The others are zeros in the result.

    Where threads have runs of 16 bytes of 8- or 16-bit elements that begin anywhere in
    device memory, each run comes as the one or two aligned words of 16 bytes that have
    its elements. They are put together where the tile is used, so that they may be on
    their way until then.

    Constraints:
    * (load_fragment_c1) there is an offset for each dimension of the source;
    * (load_fragment_c2) the result has a layout, the source's element type, and
      a box of the source's shape, which may be smaller along clipped dimensions
      and where fewer elements exist;
    * (load_fragment_c3) `exist` has an entry for each dimension of the result, which
      is positive and at most its size, and `clipped` has dimensions of the result;
    * (load_fragment_c4) `exist` and `clipped` go with a source in device memory.
  }];
  let arguments = (ins AnyStaticShapeMemRef:$source, Variadic<Index>:$offsets,
                       OptionalAttr<DenseI64ArrayAttr>:$exist,
                       OptionalAttr<DenseI64ArrayAttr>:$clipped);
  let results = (outs Mirage_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source,
                   "::mlir::ValueRange":$offsets), [{
      build($_builder, $_state, result, source, offsets,
            ::mlir::DenseI64ArrayAttr(), ::mlir::DenseI64ArrayAttr());
    }]>
  ];
  let assemblyFormat = [{
    $source `` `[` $offsets `]` (`exist` $exist^)? (`clipped` $clipped^)? attr-dict `:`
    type($source) `to` type($result)
  }];
  let extraClassDeclaration = [{
    /// Returns the box of the source and what there is of it.
    ::mirage::thread::SourceBox getSourceBox();
    /// Returns true if the tile comes as words, of which runs are put together.
    bool comesInWords();
  }];
  let hasVerifier = 1;
}

def Thread_StoreFragmentOp : Op<Thread_Dialect, "store_fragment", [
    MemoryEffects<[MemWrite]>]> {
  let summary = "a tile from registers into memory";
  let description = [{
    Writes the tile to the box that begins at `offsets`, as `load_fragment`
    reads it. An element with several places is written once. Along the dimensions
    of the tile in `clipped`, elements beyond the end of the target are left out.

    Constraints:
    * (store_fragment_c1) there is an offset for each dimension of the target;
    * (store_fragment_c2) the value has a layout, the target's element type, and
      a box of the target's shape, which may be smaller along clipped dimensions;
    * (store_fragment_c3) `clipped` has dimensions of the tile.
  }];
  let arguments = (ins Mirage_Tensor:$value, AnyStaticShapeMemRef:$target,
                       Variadic<Index>:$offsets,
                       OptionalAttr<DenseI64ArrayAttr>:$clipped);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$target,
                   "::mlir::ValueRange":$offsets), [{
      build($_builder, $_state, value, target, offsets,
            ::mlir::DenseI64ArrayAttr());
    }]>
  ];
  let assemblyFormat = [{
    $value `to` $target `` `[` $offsets `]` (`clipped` $clipped^)? attr-dict `:`
    type($value) `to` type($target)
  }];
  let extraClassDeclaration = [{
    /// Returns true if the target may end before the tile along a dimension.
    bool clips(int64_t dim) {
      return getClipped() && ::llvm::is_contained(*getClipped(), dim);
    }
    /// Returns the number of neighbours, at most `most`, that one access stores.
    int64_t getAccessLength(int64_t most);
  }];
  let hasVerifier = 1;
}

def Thread_IndexMaskOp : Op<Thread_Dialect, "index_mask", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a tile of two numbers between which indices choose";
  let description = [{
    Where an element has the indices i, and x is `base` plus the sum of all i times
    their coefficients, the element is `inside` if x is at least `from`, where that
    is given, and less than `below`, where that is given, and otherwise `outside`. So
    each thread computes the elements of a mask that it needs, as of causal
    attention, and none of them is loaded.

    ```mlir
    // Columns up to the row's number: the rows of the tile begin at %row, its
    // columns at %column, and %base is %column - %row.
    %mask = mirage_thread.index_mask %base coefficients [-1, 1] below 1
        inside 0.0 outside 0xFFF0000000000000 : tensor<64x64xf32, #accumulator>
    ```

    Constraints:
    * (index_mask_c1) there is a coefficient for each dimension;
    * (index_mask_c2) a bound is given, bounds are of magnitudes up to 2^30, and
      `from` is less than `below`;
    * (index_mask_c3) the result has a layout.
  }];
  let arguments = (ins Index:$base, DenseI64ArrayAttr:$coefficients,
                       OptionalAttr<I64Attr>:$from, OptionalAttr<I64Attr>:$below,
                       F64Attr:$inside, F64Attr:$outside);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    $base `coefficients` $coefficients (`from` $from^)? (`below` $below^)?
    `inside` $inside `outside` $outside attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Thread_MmaFragmentOp : Op<Thread_Dialect, "mma_fragment", [
    Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "lhs x rhs + accumulator, all in registers";
  let description = [{
    Multiplies by mma.sync.m16n8k16 with f32 accumulation (PTX ISA). The layouts
    are those of the instruction's fragments: that of the accumulator says which
    rows and columns a warp has, and the operands must lie where the warp needs
    them. Where `transpose_lhs` or `transpose_rhs` is given, the operand's last
    two dimensions, and its layout's, are exchanged.

    Constraints:
    * (mma_fragment_c1) the operands are of f16 or of bf16, and the accumulator
      is of f32;
    * (mma_fragment_c2) shapes are those of a product; leading dimensions of the
      operands may have size one;
    * (mma_fragment_c3) the contracted size is a multiple of 16;
    * (mma_fragment_c4) the lanes of the layouts are those of the instruction's
      fragments, and each warp has the rows and columns of the operands that its
      accumulators need.
  }];
  let arguments = (ins Mirage_Tensor:$lhs, Mirage_Tensor:$rhs,
                       Mirage_Tensor:$accumulator, UnitAttr:$transpose_lhs,
                       UnitAttr:$transpose_rhs);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    $lhs (`transpose_lhs` $transpose_lhs^)? `,` $rhs
    (`transpose_rhs` $transpose_rhs^)? `,` $accumulator attr-dict `:` type($lhs)
    `,` type($rhs) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def Thread_FmaFragmentOp : Op<Thread_Dialect, "fma_fragment", [
    Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "lhs x rhs + accumulator by multiply-adds of each lane";
  let description = [{
    Multiplies elements of f32, which tensor cores would round. Each lane
    computes the sums that it has by fused multiply-adds (PTX ISA,
    "fma.rn.f32"), one contracted element after another, from operands that
    are in its own registers: of the left one all rows and of the right one all
    columns that its sums need. Where `transpose_lhs` or `transpose_rhs` is
    given, the operand's last two dimensions, and its layout's, are exchanged.

    Constraints:
    * (fma_fragment_c1) operands and accumulator are of f32;
    * (fma_fragment_c2) shapes are those of a product; leading dimensions of the
      operands may have size one;
    * (fma_fragment_c3) each lane has the rows and columns of the operands that
      its sums need, and all of their contracted elements.
  }];
  let arguments = (ins Mirage_Tensor:$lhs, Mirage_Tensor:$rhs,
                       Mirage_Tensor:$accumulator, UnitAttr:$transpose_lhs,
                       UnitAttr:$transpose_rhs);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    $lhs (`transpose_lhs` $transpose_lhs^)? `,` $rhs
    (`transpose_rhs` $transpose_rhs^)? `,` $accumulator attr-dict `:` type($lhs)
    `,` type($rhs) `,` type($accumulator)
  }];
  let hasVerifier = 1;
}

def Thread_WarpgroupMmaOp : Op<Thread_Dialect, "warpgroup_mma", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead]>,
    AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "lhs x rhs + accumulator by warpgroups, rhs in shared memory";
  let description = [{
    Multiplies by wgmma.mma_async.m64nNk16 with f32 accumulation (PTX ISA,
    sm_90a). Each four neighbouring warps multiply 64 rows by the columns that
    they have of the accumulator, and read the right operand, of which they all
    need the same, from shared memory themselves. The left operand is in registers
    or in shared memory. The operation ends when the result is there, unless a
    `warpgroup_wait` takes the result: then the product is made while the warps go
    on with what follows, and it reads its operands up to there.

    An operand in memory is the box at its offsets: the last dimensions are the
    matrices, those before are indexed by the first offsets. Where
    `transpose_lhs` or `transpose_rhs` is given, the last two dimensions are
    exchanged. Other threads must have passed a barrier after they wrote the
    operands. Rows and columns beyond the end are read, whatever they hold, and
    no element depends on them.

    With `row_sums`, the accumulator has eight more columns than the right operand,
    in each of which the instruction adds up the left operand's rows: a block of ones
    in shared memory stands for so many more columns.

    Constraints:
    * (warpgroup_mma_c1) the operands are of f16 or of bf16, and the accumulator
      is of f32;
    * (warpgroup_mma_c2) shapes are those of a product; the memory of a left
      operand has as many rows as the accumulators have places for, and is whole
      in its other last dimension; the box of a right one has as many columns as
      the next multiple of 8, and leading dimensions of the operands may have
      size one;
    * (warpgroup_mma_c3) the contracted size is a multiple of 16;
    * (warpgroup_mma_c4) the accumulator lies as those of m64nNk16 do: warps take
      16 rows in turn, a multiple of four of them, and each has a run of columns;
      the last rows and columns may lie beyond the end;
      a left operand in registers has the rows of the accumulators, in lanes as
      m16n8k16 has them;
    * (warpgroup_mma_c5) operands in memory are in shared memory, chunked and
      swizzled, with rows that lie a chunk apart;
    * (warpgroup_mma_c6) where the right operand's columns are neighbours and
      several warpgroups share them, each has whole chunks;
    * (warpgroup_mma_c7) the ones are a chunk's 16 rows of the right operand's element
      type and chunks, dense in shared memory and behind that; the right operand is one
      chunk of columns, which are neighbours, and each warp has all columns of the
      accumulator.
  }];
  let arguments = (ins Mirage_Tensor:$accumulator,
                       AnyTypeOf<[Mirage_Tensor, AnyStaticShapeMemRef]>:$lhs,
                       Variadic<Index>:$lhs_offsets,
                       AnyStaticShapeMemRef:$rhs, Variadic<Index>:$rhs_offsets,
                       Optional<AnyStaticShapeMemRef>:$ones,
                       UnitAttr:$transpose_lhs,
                       UnitAttr:$transpose_rhs);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    $lhs (`[` $lhs_offsets^ `]`)? (`transpose_lhs` $transpose_lhs^)? `,`
    $rhs `[` $rhs_offsets `]` (`transpose_rhs` $transpose_rhs^)? `,`
    $accumulator (`row_sums` $ones^)? attr-dict `:` type($lhs) `,` type($rhs) `,`
    type($accumulator) (`,` type($ones)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns true if the left operand lies in memory.
    bool isLhsInMemory() {
      return ::mlir::isa<::mlir::MemRefType>(getLhs().getType());
    }
    /// Returns the operation that waits for the product, or null where this one
    /// does.
    ::mirage::thread::WarpgroupWaitOp getWait();
    /// The contracted size.
    int64_t getDepth();
    /// The shape of an operand's box.
    ::mirage::Shape getOperandShape(::mirage::MatrixRole role);
    /// The layout in which warps would have an operand in registers.
    ::mirage::RegisterLayout getOperandLayout(::mirage::MatrixRole role);
  }];
}

def Thread_ExchangeLanesOp : Op<Thread_Dialect, "exchange_lanes", [Pure]> {
  let summary = "let lanes of a warp exchange the elements that they have";
  let description = [{
    Gives a tile another layout, in which one digit of the lanes' numbers and as
    large a digit of the registers' are exchanged: what each of some lanes has of
    each of some parts becomes all that one lane has of one part. The lanes
    exchange elements by shuffles (PTX ISA, "shfl.sync.bfly"), one for each bit of
    the digit and half of the registers, without shared memory.

    ```mlir
    // Four lanes with two neighbours each get eight neighbours each.
    %1 = mirage_thread.exchange_lanes %0
        : tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>>
        to tensor<16x32xf16, #mirage_thread.layout<registers = [8 d1:1, 2 d0:8], lanes = [4 d1:8, 8 d0:1], warps = []>>
    ```

    Constraints:
    * (exchange_lanes_c1) both tiles have the same shape and element type, and a
      layout;
    * (exchange_lanes_c2) the layouts differ by such an exchange, of digits whose
      size is a power of two.
  }];
  let arguments = (ins Mirage_Tensor:$tile);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `to` type($result)";
  let hasVerifier = 1;
}

def Thread_WarpgroupWaitOp : Op<Thread_Dialect, "warpgroup_wait", [
    AllTypesMatch<["product", "result"]>]> {
  let summary = "wait for a product by warpgroups";
  let description = [{
    Waits until a product is there that was begun by `warpgroup_mma` (PTX ISA,
    "wgmma.wait_group"), and gives it. Up to here, no thread may write what the
    product reads from shared memory. Products end in the order in which they
    began, so that whoever waits for one waits for those before it, too.

    ```mlir
    %begun = mirage_thread.warpgroup_mma %a, %b[%c0, %c0], %sums : ...
    // Others are begun, or what does not need the product is computed.
    %product = mirage_thread.warpgroup_wait %begun : tensor<128x64xf32, ...>
    ```

    Constraints:
    * (warpgroup_wait_c1) the product is the result of a `warpgroup_mma` of the same
      block, and used nowhere else;
    * (warpgroup_wait_c2) no operation with regions that begins such a product
      stands between the two.
  }];
  let arguments = (ins Mirage_Tensor:$product);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = "$product attr-dict `:` type($product)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The operation that has begun the product.
    ::mirage::thread::WarpgroupMmaOp getBeginning() {
      return getProduct().getDefiningOp<::mirage::thread::WarpgroupMmaOp>();
    }
  }];
}

#endif // MIRAGE_DIALECT_THREAD_IR_THREADFRAGMENTS

"""The programs with which the way into IREE is checked.

SMALL are Mirage's six programs with sizes that an interpreter runs in a second; the
benchmarks have the same at their real sizes.
"""

import os
import sys

root = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(root, "benchmarks"))
import programs as benchmarks
from programs import Program, attention


def gqa(p):
    return attention(p, p.argument(2, 64, 64), p.argument(2, 64, 256),
                     p.argument(2, 256, 64))


def qknorm(p):
    q, k, v = p.argument(2, 64, 64), p.argument(2, 64, 256), p.argument(2, 256, 64)
    return attention(p, p.rms_norm(q), k, p.rms_norm(v))


def rmsnorm(p):
    return p.matmul(p.rms_norm(p.argument(16, 256)), p.argument(256, 128))


def lora(p):
    x, w = p.argument(16, 64), p.argument(64, 128)
    a, b = p.argument(64, 16), p.argument(16, 128)
    return p.binary("add", p.matmul(x, w),
                    p.matmul(p.cast(p.matmul(x, a), "f16"), b))


def gatedmlp(p):
    x, w1, w2 = p.argument(16, 256), p.argument(256, 128), p.argument(256, 128)
    return p.binary("mul", p.unary("silu", p.matmul(x, w1)), p.matmul(x, w2))


def ntrans(p):
    h, x, alpha = (p.argument(16, 256) for _ in range(3))
    step = p.binary("add", p.rms_norm(h), x)
    return p.rms_norm(p.binary("add", x, p.binary("mul", alpha, step)))


def module(text):
    return f"module attributes {{mirage.target = #mirage.target<sm_90a>}} {{\n{text}}}\n"


def write(function, name):
    program = Program()
    return program.finish(name, function(program))


SMALL = {f.__name__: f for f in (gqa, qknorm, rmsnorm, lora, gatedmlp, ntrans)}

# Programs of PyTorch with up to 109 kernels, of which Mirage replaces parts.
CORPUS = os.path.join(root, "test", "Corpus")
LAYERS = ["llama-decoder-layer-f16", "bert-layer-f16", "vit-block-f16"]

# Two kernels that differ in a number alone, and each other thing is the same.
ALIKE = "".join(f"""
func.func @{name}(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {{
  %y = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<64x32xf16>) -> tensor<64x32xf16> {{
    %t = mirage_block.load %a imap(x -> 0) : tensor<64x32xf16> to tensor<8x32xf16>
    %e = mirage_block.scale %t by {factor} : (tensor<8x32xf16>) -> tensor<8x32xf16>
    %s = mirage_block.store %e omap(x -> 0) : tensor<8x32xf16> to tensor<64x32xf16>
    mirage_block.yield %s : tensor<64x32xf16>
  }}
  return %y : tensor<64x32xf16>
}}
""" for name, factor in (("twice", "2.0"), ("thrice", "3.0")))

# A kernel that has nothing but a weight, which a model stores transposed.
WEIGHTS = """
func.func @weights(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = mirage_kernel.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %two = mirage_kernel.constant dense<2.0> : tensor<2x4xf32>
  %t = mirage_kernel.transpose %w [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %y = mirage_kernel.add %x, %t : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %z = mirage_kernel.mul %y, %two : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}
"""

# Rows of a table by number, and integers at the end, are no operators of Mirage; a norm
# and a product between them are.
MIXED = """
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>
func.func @mixed(%table: tensor<100x64xf16>, %rows: tensor<16xi64>, %scale: tensor<64xf16>,
                 %weight: tensor<64x128xf16>) -> (tensor<16x128xf16>, tensor<16x128xi64>) {
  %zero = arith.constant 0.0 : f32
  %size = arith.constant 64.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %half = arith.constant 0.0 : f16
  %e0 = tensor.empty() : tensor<16x64xf16>
  %x = linalg.generic {indexing_maps = [#row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<16xi64>) outs(%e0 : tensor<16x64xf16>) {
  ^bb0(%row: i64, %o: f16):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<100x64xf16>
    linalg.yield %v : f16
  } -> tensor<16x64xf16>
  %e1 = tensor.empty() : tensor<16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %squares = linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x64xf16>) outs(%f1 : tensor<16xf32>) {
  ^bb0(%v: f16, %sum: f32):
    %w = arith.extf %v : f16 to f32
    %s = arith.mulf %w, %w : f32
    %t = arith.addf %sum, %s : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %normed = linalg.generic {indexing_maps = [#both, #row, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %squares, %scale : tensor<16x64xf16>, tensor<16xf32>, tensor<64xf16>) outs(%e0 : tensor<16x64xf16>) {
  ^bb0(%v: f16, %s: f32, %g: f16, %o: f16):
    %mean = arith.divf %s, %size : f32
    %m = arith.addf %mean, %epsilon : f32
    %r = math.rsqrt %m : f32
    %w = arith.extf %v : f16 to f32
    %n = arith.mulf %w, %r : f32
    %h = arith.extf %g : f16 to f32
    %p = arith.mulf %n, %h : f32
    %q = arith.truncf %p : f32 to f16
    linalg.yield %q : f16
  } -> tensor<16x64xf16>
  %e2 = tensor.empty() : tensor<16x128xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x128xf32>) -> tensor<16x128xf32>
  %product = linalg.matmul ins(%normed, %weight : tensor<16x64xf16>, tensor<64x128xf16>)
      outs(%f2 : tensor<16x128xf32>) -> tensor<16x128xf32>
  %e3 = tensor.empty() : tensor<16x128xf16>
  %y = linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<16x128xf32>) outs(%e3 : tensor<16x128xf16>) {
  ^bb0(%v: f32, %o: f16):
    %w = arith.truncf %v : f32 to f16
    linalg.yield %w : f16
  } -> tensor<16x128xf16>
  %e4 = tensor.empty() : tensor<16x128xi64>
  %signs = linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x128xf16>) outs(%e4 : tensor<16x128xi64>) {
  ^bb0(%v: f16, %o: i64):
    %p = arith.cmpf ogt, %v, %half : f16
    %n = arith.extui %p : i1 to i64
    linalg.yield %n : i64
  } -> tensor<16x128xi64>
  return %y, %signs : tensor<16x128xf16>, tensor<16x128xi64>
}
"""

// The dialect's attributes survive bytecode.

// RUN: mirage-opt %s -o %t.text
// RUN: mirage-opt %s -emit-bytecode -o %t.mlirbc
// RUN: mirage-opt %t.mlirbc | diff %t.text -

module attributes {
  mirage.target = #mirage.target<sm_90a, multiprocessors = 114>,
  test.enums = [#mirage<accumulate_kind concat>, #mirage<conv_layout nchw>,
                #mirage<gelu_form erf>, #mirage<reduce_kind sum>]
} {}

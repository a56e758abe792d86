// Tilings chosen by recorded times.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/record-tilings.py mirage-opt %s chain %t | FileCheck %s
// CHECK: tilings chosen, each the fastest that was asked for

// A remark for each, and for what was chosen.
// RUN: mirage-opt %s --mirage-tile='function=chain measure=recorded measurements=%t/times.json' -o /dev/null --remark-policy=all --remarks-filter=mirage-tile 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Analysis] measured {{.*}}Remark="expr={{.*}} tiles=m:{{.*}}", microseconds={{[0-9.]+}}, predicted={{[0-9.]+}}
// REMARK-DAG: remark: [Missed] rejected {{.*}}Reason="it is unlucky"
// REMARK: remark: [Passed] chosen {{.*}}measuredBy="recorded from no device"

// Without a GPU and a file of this program a model stands for it.
// RUN: mirage-opt %s --mirage-tile='target=sm_80 measure=auto measurements=%t/times.json' --remark-policy=all --remarks-filter=mirage-tile -o %t/auto.mlir 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: mirage-opt %s --mirage-tile='target=sm_80' -o %t/model.mlir
// RUN: cmp %t/auto.mlir %t/model.mlir
// AUTO: tile-measure.mlir:[[#]]:1: remark: [Missed] no-device {{.*}}has no measurements of this program ([[HASH:[0-9a-f]+]]) for sm_80, but of @chain ([[HASH]]) for sm_90a
// AUTO: measuredBy="model mirage"

// The whole module without a model: other functions are no chains of the file.
// RUN: not mirage-opt %s --mirage-tile='measure=recorded measurements=%t/times.json' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: tile-measure.mlir:[[#]]:1: error: tilings of @other cannot be measured as measure=recorded asks: {{.*}}times.json has no measurements of this program ({{[0-9a-f]+}}) for sm_90a, but of @chain ({{[0-9a-f]+}}) for sm_90a

// RUN: not mirage-opt %s --mirage-tile='measure=recorded' 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: option measure=recorded of mirage-tile must be with measurements
// RUN: not mirage-opt %s --mirage-tile='measure=recorded measurements=%t/none.json' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: tilings of @chain cannot be measured as measure=recorded asks: there is no file {{.*}}none.json
// RUN: not mirage-opt %s --mirage-tile='measurements=%t/times.json' 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: error: option measurements of mirage-tile must be with measure=device, recorded or auto
// RUN: not mirage-opt %s --mirage-tile='function=chain expr=mnhk measure=recorded measurements=%t/times.json' 2>&1 | FileCheck %s --check-prefix=EXPR
// EXPR: error: option measure=device, recorded or auto of mirage-tile must be without expr
// RUN: not mirage-opt %s --mirage-tile='measure=device measurements=%t/no/such/folder' 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: option measurements: cannot open output file {{.*}}such/folder

// What a file may not hold.
// RUN: echo '{' > %t/bad.json
// RUN: not mirage-opt %s --mirage-tile='measure=recorded measurements=%t/bad.json' 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: option measurements: {{.*}}bad.json: [2:0
// RUN: echo '{"version": 2}' > %t/bad.json
// RUN: not mirage-opt %s --mirage-tile='measure=recorded measurements=%t/bad.json' 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: option measurements: {{.*}}bad.json has version 2, and this is 1
// RUN: echo '{"version": 1}' > %t/bad.json
// RUN: not mirage-opt %s --mirage-tile='measure=recorded measurements=%t/bad.json' 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: option measurements: {{.*}}bad.json has no list of functions
// RUN: echo '{"version": 1, "functions": [{"function": "f"}]}' > %t/bad.json
// RUN: not mirage-opt %s --mirage-tile='measure=recorded measurements=%t/bad.json' 2>&1 | FileCheck %s --check-prefix=FIELD
// FIELD: error: option measurements: missing value at {{.*}}bad.json.functions[0].program
// RUN: echo '{"version": 1, "functions": [{"function": "f", "program": "0", "target": "sm_90a", "device": "d", "tilings": [{"tiling": "expr=m", "predicted_microseconds": 1, "microseconds": -1}]}]}' > %t/bad.json
// RUN: not mirage-opt %s --mirage-tile='measure=recorded measurements=%t/bad.json' 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: error: option measurements: expected a positive number at {{.*}}bad.json.functions[0].tilings[0].microseconds
// RUN: echo '{"version": 1, "functions": [{"function": "f", "program": "0", "target": "sm_90a", "device": "d", "tilings": [{"tiling": "expr=m", "predicted_microseconds": 1, "rejected": "a"}, {"tiling": "expr=m", "predicted_microseconds": 1, "rejected": "b"}]}]}' > %t/bad.json
// RUN: not mirage-opt %s --mirage-tile='measure=recorded measurements=%t/bad.json' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: option measurements: measured a second time at {{.*}}bad.json.functions[0].tilings[1].tiling

// RUN: mirage-opt --help | FileCheck %s --check-prefix=HELP
// HELP: --mirage-tile
// HELP: --measure=<value>
// HELP: =device {{ *}}- the first GPU, by mirage-lower-to-nvvm
// HELP: =recorded {{ *}}- the file measurements
// HELP: --measurements=<string>

func.func @chain(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %d: tensor<128x64xf16>)
    -> tensor<64x64xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x32xf16>, tensor<32x128xf16>) -> tensor<64x128xf32>
  %1 = mirage_kernel.cast %0 : tensor<64x128xf32> to tensor<64x128xf16>
  %2 = mirage_kernel.matmul %1, %d : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
  %3 = mirage_kernel.cast %2 : tensor<64x64xf32> to tensor<64x64xf16>
  return %3 : tensor<64x64xf16>
}

func.func @other(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf16>
  return %0 : tensor<32x32xf16>
}

// Attention by rescaled sums, split over blocks, against its plain form, and
// both against their error bounds.

// RUN: mirage-run %s --entry=fused --compare=plain --compare-precision=f64 \
// RUN:   --check-bounds --tolerance=1e-3 | FileCheck %s
// RUN: mirage-run %s --entry=plain --check-bounds | FileCheck %s --check-prefix=PLAIN
// RUN: mirage-run %s --entry=fused --compare=plain --precision=f64 --tolerance=1e-12
// RUN: mirage-run %s --entry=fused --compare=plain --precision=f32 --tolerance=1e-6

// Scores of large magnitude overflow neither form.
// RUN: mirage-run %s --entry=fused --compare=plain --precision=f64 \
// RUN:   --tolerance=1e-12 --distribution=large | FileCheck %s --check-prefix=FINITE

// CHECK: result 0: tensor<1x32x16xf16> {{.*}} nan=0 inf=0
// CHECK: bound 0: worst_error={{[0-9.]+}}e-0{{[3-9]}} worst_error/bound={{.*}} over_bound=0 unbounded=0 of 512
// CHECK: difference 0: max_abs_error={{.*}}e-0{{[3-9]}}
// PLAIN: bound 0: {{.*}} over_bound=0 unbounded=0 of 512
// FINITE: result 0: {{.*}} nan=0 inf=0

func.func @plain(%q: tensor<1x32x16xf16>, %k: tensor<1x16x128xf16>, %v: tensor<1x128x16xf16>) -> tensor<1x32x16xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<1x32x16xf16>, tensor<1x16x128xf16>) -> tensor<1x32x128xf32>
  %p = mirage_kernel.softmax %s dim(2) : (tensor<1x32x128xf32>) -> tensor<1x32x128xf32>
  %c = mirage_kernel.cast %p : tensor<1x32x128xf32> to tensor<1x32x128xf16>
  %o = mirage_kernel.matmul %c, %v : (tensor<1x32x128xf16>, tensor<1x128x16xf16>) -> tensor<1x32x16xf16>
  return %o : tensor<1x32x16xf16>
}

func.func @fused(%q: tensor<1x32x16xf16>, %k: tensor<1x16x128xf16>, %v: tensor<1x128x16xf16>) -> tensor<1x32x16xf16> {
  %num, %den, %max = mirage_kernel.launch grid(x = 2, y = 4)
      (%qa = %q : tensor<1x32x16xf16>, %ka = %k : tensor<1x16x128xf16>, %va = %v : tensor<1x128x16xf16>)
      -> (tensor<1x32x64xf32>, tensor<1x32x4xf32>, tensor<1x32x4xf32>) {
    %qt = mirage_block.load %qa imap(x -> 1, y -> phi) : tensor<1x32x16xf16> to tensor<1x16x16xf16>
    %n, %d, %m = mirage_block.for %i = 0 to 2 -> (tensor<1x16x16xf32>, tensor<1x16x1xf32>, tensor<1x16x1xf32>) {
      %kt = mirage_block.load %ka imap(x -> phi, y -> 2) fmap(%i -> 2) : tensor<1x16x128xf16> to tensor<1x16x16xf16>
      %vt = mirage_block.load %va imap(x -> phi, y -> 1) fmap(%i -> 1) : tensor<1x128x16xf16> to tensor<1x16x16xf16>
      %s = mirage_block.matmul %qt, %kt : (tensor<1x16x16xf16>, tensor<1x16x16xf16>) -> tensor<1x16x16xf32>
      %mx = mirage_block.reduce max %s dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %sh = mirage_block.sub %s, %mx : (tensor<1x16x16xf32>, tensor<1x16x1xf32>) -> tensor<1x16x16xf32>
      %e = mirage_block.exp %sh : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %sum = mirage_block.reduce sum %e dim(2) keep : (tensor<1x16x16xf32>) -> tensor<1x16x1xf32>
      %eh = mirage_block.cast %e : tensor<1x16x16xf32> to tensor<1x16x16xf16>
      %pv = mirage_block.matmul %eh, %vt : (tensor<1x16x16xf16>, tensor<1x16x16xf16>) -> tensor<1x16x16xf32>
      %an = mirage_block.accumulate rescaled_sum %pv shift %mx : (tensor<1x16x16xf32>, tensor<1x16x1xf32>) -> tensor<1x16x16xf32>
      %ad = mirage_block.accumulate rescaled_sum %sum shift %mx : (tensor<1x16x1xf32>, tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
      %am = mirage_block.accumulate max %mx : (tensor<1x16x1xf32>) -> tensor<1x16x1xf32>
      mirage_block.yield %an, %ad, %am : tensor<1x16x16xf32>, tensor<1x16x1xf32>, tensor<1x16x1xf32>
    }
    %sn = mirage_block.store %n omap(x -> 1, y -> 2) : tensor<1x16x16xf32> to tensor<1x32x64xf32>
    %sd = mirage_block.store %d omap(x -> 1, y -> 2) : tensor<1x16x1xf32> to tensor<1x32x4xf32>
    %sm = mirage_block.store %m omap(x -> 1, y -> 2) : tensor<1x16x1xf32> to tensor<1x32x4xf32>
    mirage_block.yield %sn, %sd, %sm : tensor<1x32x64xf32>, tensor<1x32x4xf32>, tensor<1x32x4xf32>
  }
  %o = mirage_kernel.launch grid(x = 4)
      (%na = %num : tensor<1x32x64xf32>, %da = %den : tensor<1x32x4xf32>, %ma = %max : tensor<1x32x4xf32>)
      -> tensor<1x32x16xf16> {
    %n, %d = mirage_block.for %i = 0 to 4 -> (tensor<1x8x16xf32>, tensor<1x8x1xf32>) {
      %nt = mirage_block.load %na imap(x -> 1) fmap(%i -> 2) : tensor<1x32x64xf32> to tensor<1x8x16xf32>
      %dt = mirage_block.load %da imap(x -> 1) fmap(%i -> 2) : tensor<1x32x4xf32> to tensor<1x8x1xf32>
      %mt = mirage_block.load %ma imap(x -> 1) fmap(%i -> 2) : tensor<1x32x4xf32> to tensor<1x8x1xf32>
      %an = mirage_block.accumulate rescaled_sum %nt shift %mt : (tensor<1x8x16xf32>, tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
      %ad = mirage_block.accumulate rescaled_sum %dt shift %mt : (tensor<1x8x1xf32>, tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
      mirage_block.yield %an, %ad : tensor<1x8x16xf32>, tensor<1x8x1xf32>
    }
    %r = mirage_block.div %n, %d : (tensor<1x8x16xf32>, tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    %h = mirage_block.cast %r : tensor<1x8x16xf32> to tensor<1x8x16xf16>
    %so = mirage_block.store %h omap(x -> 1) : tensor<1x8x16xf16> to tensor<1x32x16xf16>
    mirage_block.yield %so : tensor<1x32x16xf16>
  }
  return %o : tensor<1x32x16xf16>
}

#!/usr/bin/env bash
# Runs a benchmark of benchmarks/ on a built Mirage.
#
#   scripts/benchmark.sh verification [options]   speed of verification (CPU)
#   scripts/benchmark.sh search [options]         speed of the search (CPU)
#   scripts/benchmark.sh tiling [options]         choice of tilings (CPU)
#   scripts/benchmark.sh sizes [options]          choice of candidates' sizes (CPU)
#   scripts/benchmark.sh orchestration [options]  speed of the choice of kernels (CPU)
#   scripts/benchmark.sh lowering [options]       speed of the lowering (CPU)
#   scripts/benchmark.sh tiling_device make|run|tune|report|fit OUT
#                                                 models beside kernels (GPU to run)
#   scripts/benchmark.sh fields                   its arithmetic (CPU)
#   scripts/benchmark.sh examples [options]       kernels beside PyTorch (GPU)
#   scripts/benchmark.sh kernels make|tune|lower|run|report OUT
#                                                 programs beside PyTorch (GPU to tune
#                                                 and run)
#   scripts/benchmark.sh deployed make|tune|lower|run|report OUT
#                                                 any programs of files beside PyTorch
#                                                 (GPU to tune and run)
#   scripts/benchmark.sh odd_sizes make|run|report OUT
#                                                 sizes that no tile divides beside the
#                                                 next ones (GPU to run)
#   scripts/benchmark.sh turns make|run|report OUT
#                                                 products and attention in turns with
#                                                 PyTorch (GPU to run)
#   scripts/benchmark.sh convolutions make|run OUT
#                                                 convolutions beside PyTorch (GPU to run)
#   scripts/benchmark.sh models make|again|anew|orders|tune|lower|compile|run|report OUT
#                                                 whole models in torch.compile beside
#                                                 PyTorch (GPU to run)
#   scripts/benchmark.sh model_launches make|run OUT
#                                                 their launches beside the model's times
#                                                 (GPU to run)
#
# --help after the name says more.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

name=${1:-}
if ! [ -f "$mirage_root/benchmarks/$name.py" ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
  exit 2
fi
shift
case "$name $* " in
*" --help "* | "kernels run "* | "kernels tune "* | "kernels report "* | "deployed run "* | "deployed tune "* | "deployed report "* | "odd_sizes run "* | "odd_sizes report "* | "turns run "* | "turns report "* | "convolutions run "* | "models compile "* | "models run "* | "models tune "* | "models report "* | "model_launches run "*) ;;
*)
  mirage_set_up
  mirage_build mirage-opt mirage-run mirage-translate
  ;;
esac
exec python3 "$mirage_root/benchmarks/$name.py" "$@"

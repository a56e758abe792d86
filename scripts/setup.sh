# Common part of the scripts, to be sourced: where things are, messages, what a
# build needs of the system, and the build itself.
#
# Changes nothing when sourced. mirage_set_up installs what is missing from the
# distribution's packages and asks no question; it needs no network when nothing
# is missing.

mirage_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mirage_build=$mirage_root/build/release
mirage_llvm=/usr/lib/llvm-22

say() { printf '== %s\n' "$*"; }
complain() { printf 'error: %s\n' "$*" >&2; }

# Package, what it is for, and a file or a command that shows that it is there
# even if it did not come as a package.
mirage_requirements() {
  cat <<EOF
libmlir-22-dev|MLIR: headers and libraries|$mirage_llvm/lib/cmake/mlir/MLIRConfig.cmake
llvm-22-dev|LLVM: headers, libraries, NVPTX code generation|$mirage_llvm/lib/cmake/llvm/LLVMConfig.cmake
mlir-22-tools|mlir-tblgen generates the operations' classes|$mirage_llvm/bin/mlir-tblgen
llvm-22-tools|lit and FileCheck run the tests|$mirage_llvm/bin/FileCheck
clang-22|the compiler|clang++-22
lld-22|the linker|ld.lld-22
cmake|configures the build|cmake
ninja-build|runs the build|ninja
z3|SMT solver, for tests of exported questions|z3
libz3-dev|Z3 as a library: pruning of the search|/usr/include/z3++.h
coinor-libcbc-dev|Cbc as a library: choice of kernels|/usr/include/coin/CbcModel.hpp
libgtest-dev|unit tests in C++|/usr/include/gtest/gtest.h
libzstd-dev|LLVM links it|/usr/include/zstd.h
zlib1g-dev|LLVM links it|/usr/include/zlib.h
EOF
}

# True if the package $1 is installed, or the file or command $2 is there.
mirage_have() {
  dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed' ||
    case $2 in
      /*) [ -e "$2" ] ;;
      *) command -v "$2" >/dev/null ;;
    esac
}

# Fills the array mirage_missing with packages, and prints what each is for.
mirage_find_missing() {
  mirage_missing=()
  local package purpose probe
  while IFS='|' read -r package purpose probe; do
    if ! mirage_have "$package" "$probe"; then
      mirage_missing+=("$package")
      printf '   %-16s %s\n' "$package" "$purpose"
    fi
  done < <(mirage_requirements)
}

# Runs a command as root, or fails without asking for a password.
mirage_as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo -n "$@"
  fi
}

# Installs what is missing. Fails with a message that says what to do.
mirage_set_up() {
  say "Looking for what the build needs"
  mirage_find_missing
  if [ ${#mirage_missing[@]} = 0 ]; then
    echo "   everything is there"
    return 0
  fi

  local system="this system"
  [ -r /etc/os-release ] && system=$(. /etc/os-release && echo "$PRETTY_NAME")
  if ! command -v apt-get >/dev/null; then
    complain "the above is missing, and these scripts can install it with apt-get only." \
      "On $system, install LLVM and MLIR 22 with their development files, clang 22," \
      "lld 22, CMake, Ninja and GoogleTest, then run this again."
    return 1
  fi
  local install="apt-get install -y --no-install-recommends ${mirage_missing[*]}"
  if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
    complain "the above is missing and installing it needs root. Run this, then this script again:"
    printf '  sudo apt-get update && sudo %s\n' "$install" >&2
    return 1
  fi

  say "Installing these packages of $system"
  if ! mirage_as_root apt-get update -qq; then
    complain "apt-get update failed; the messages above say why." \
      "Is there a network connection?"
    return 1
  fi
  local package absent=()
  for package in "${mirage_missing[@]}"; do
    [ "$(apt-cache policy "$package" | sed -n 's/^ *Candidate: //p')" != "(none)" ] &&
      [ -n "$(apt-cache policy "$package")" ] || absent+=("$package")
  done
  if [ ${#absent[@]} != 0 ]; then
    complain "apt knows no package ${absent[*]} of $system." \
      "If it could not reach its servers, it says so above." \
      "Debian 12 has all of them, LLVM 22 in its security updates (bookworm-security):" \
      "see that /etc/apt lists that suite. Elsewhere, install LLVM and MLIR 22 into $mirage_llvm."
    return 1
  fi
  if ! mirage_as_root env DEBIAN_FRONTEND=noninteractive \
    $install -q -o Dpkg::Use-Pty=0 >"${TMPDIR:-/tmp}/mirage-apt.$$" 2>&1; then
    tail -20 "${TMPDIR:-/tmp}/mirage-apt.$$" >&2
    rm -f "${TMPDIR:-/tmp}/mirage-apt.$$"
    complain "installing failed; the messages above say why. The command was: $install"
    return 1
  fi
  rm -f "${TMPDIR:-/tmp}/mirage-apt.$$"
}

# Builds the given targets (all by default) in build/release. A tree that is configured
# already is taken as it is, whatever its options: other ones would build all of it anew.
# With CI=true warnings are errors. Ninja shows its progress, and a compiler's output only
# where there is some.
mirage_build() {
  local options=() log
  [ "${CI:-}" = true ] && options=(-DMIRAGE_ENABLE_WERROR=ON)
  if [ "${CI:-}" = true ] || ! [ -f "$mirage_build/build.ninja" ]; then
    say "Configuring build/release"
    log=$(mktemp)
    if ! (cd "$mirage_root" && cmake --preset release "${options[@]}") >"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      complain "configuring failed. If LLVM was upgraded, remove build/release and try again."
      return 1
    fi
    rm -f "$log"
  fi
  say "Building"
  if ! cmake --build "$mirage_build" --target "${@:-all}"; then
    complain "the build failed; the messages above say why."
    return 1
  fi
}

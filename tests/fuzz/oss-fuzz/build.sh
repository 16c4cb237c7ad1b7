#!/bin/bash -eu
# Builds the fuzzers as OSS-Fuzz asks for them: with its compiler, flags and engine, into $OUT, each with its
# seeds, and with the system's libraries, which the machines that run them lack. Arguments are the fuzzers to
# build, without `fuzz_`; without any, all.
#   tests/fuzz/oss-fuzz/build.sh [NAME...]
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
build=${WORK:-/tmp}/fineprint

# The system's libraries are compiled with libstdc++, and this program must share theirs.
CXXFLAGS=${CXXFLAGS/-stdlib=libc++/}
[[ -x .venv/bin/python ]] || python3 -m venv .venv
.venv/bin/python -m pip install --no-deps pymupdf==2.0 # for MuPDF in it

# The definitions that follow from sanitizers; OSS-Fuzz's flags have these already.
sanitize=
[[ ${SANITIZER:-} != address && ${SANITIZER:-} != undefined ]] || sanitize=$SANITIZER
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_CXX_FLAGS="$CXXFLAGS" -DFINEPRINT_NETS=OFF -DFINEPRINT_TESTS=OFF -DFINEPRINT_FUZZ=ON \
  -DFINEPRINT_SANITIZE="$sanitize" -DFINEPRINT_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -DFINEPRINT_FUZZ_DATA="$OUT/data"
names=("$@")
if [[ ${#names[@]} -eq 0 ]]; then
  for file in tests/fuzz/fuzz_*.cpp; do
    name=${file##*/fuzz_}
    names+=("${name%.cpp}")
  done
fi
ninja -C "$build" "${names[@]/#/fuzz_}"
python3 tests/fuzz/make_seeds.py "$build/seeds"

mkdir -p "$OUT/lib"
cp -r tests/data "$OUT/data" # $OUT is the same folder when the fuzzers run
for name in "${names[@]}"; do
  program=$OUT/fuzz_$name
  cp "$build/tests/fuzz/fuzz_$name" "$program"
  ldd "$program" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | grep -Ev '/(libc|libm|ld-linux)[.-]' |
    xargs -r cp -n -t "$OUT/lib"
  patchelf --set-rpath "\$ORIGIN/lib" --force-rpath "$program"
  zip -q -j "${program}_seed_corpus.zip" "$build/seeds/$name"/*
  cp "$build/seeds/words" "$program.dict"
done
for library in "$OUT"/lib/*; do patchelf --set-rpath "\$ORIGIN" "$library"; done

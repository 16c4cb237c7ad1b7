// Blocks of 256 values: eight runs of 32, or sixteen of 16, each with a scale that is a code.
#include "tensorfile/blocks/codecs.h"

namespace fineprint::tensorfile {
namespace {

constexpr int kRuns = 8;
constexpr int kRun = 32;

struct RunScale {
  int scale = 0, least = 0;  // codes of six bits
};

// Of run 0 to 7 in twelve bytes: the runs of the first half have six bits of a byte each, those of
// the second half four bits of the last bytes and the two that the first half leaves.
RunScale run_scale(const std::uint8_t* packed, int run) {
  if (run < 4) return {packed[run] & 63, packed[run + 4] & 63};
  return {(packed[run + 4] & 15) | (packed[run - 4] >> 2 & 0x30),
          (packed[run + 4] >> 4) | (packed[run] >> 2 & 0x30)};
}

// Code of two bits of value i of a run: four runs share 32 bytes.
int code_of_two(const std::uint8_t* codes, int run, int i) {
  return codes[run / 4 * kRun + i] >> 2 * (run % 4) & 3;
}

// Code of four bits: two runs share 32 bytes.
int code_of_four(const std::uint8_t* codes, int run, int i) {
  return codes[run / 2 * kRun + i] >> 4 * (run % 2) & 15;
}

}  // namespace

// 16 scales with least values (four bits each), codes of two bits, two halves.
void widen_q2_k(const std::uint8_t* block, float* values) {
  const std::uint8_t* codes = block + 16;
  const float scale = half_at(block + 80), least = half_at(block + 82);
  for (int run = 0; run < kRuns; ++run) {
    for (int i = 0; i < kRun; ++i) {
      const int packed = block[2 * run + i / 16];
      const float step = scale * static_cast<float>(packed & 15);
      const float below = least * static_cast<float>(packed >> 4);
      values[run * kRun + i] = step * static_cast<float>(code_of_two(codes, run, i)) - below;
    }
  }
}

// A third bit of each code, which adds 4 where it is set; codes of two bits; 16 scales of six bits
// around 32; one half.
void widen_q3_k(const std::uint8_t* block, float* values) {
  const std::uint8_t* codes = block + 32;
  const std::uint8_t* scales = block + 96;
  const float scale = half_at(block + 108);
  for (int run = 0; run < kRuns; ++run) {
    for (int i = 0; i < kRun; ++i) {
      const int part = 2 * run + i / 16;
      const int low = scales[part % 8] >> 4 * (part / 8) & 15;
      const int high = scales[8 + part % 4] >> 2 * (part / 4) & 3;
      const float step = scale * static_cast<float>((low | high << 4) - 32);
      const int lift = (block[i] >> run & 1) != 0 ? 0 : 4;
      values[run * kRun + i] = step * static_cast<float>(code_of_two(codes, run, i) - lift);
    }
  }
}

void widen_q4_k(const std::uint8_t* block, float* values) {
  const float scale = half_at(block), least = half_at(block + 2);
  for (int run = 0; run < kRuns; ++run) {
    const RunScale packed = run_scale(block + 4, run);
    const float step = scale * static_cast<float>(packed.scale);
    const float below = least * static_cast<float>(packed.least);
    for (int i = 0; i < kRun; ++i) {
      values[run * kRun + i] = step * static_cast<float>(code_of_four(block + 16, run, i)) - below;
    }
  }
}

// As Q4_K, with a fifth bit of each code before the four.
void widen_q5_k(const std::uint8_t* block, float* values) {
  const float scale = half_at(block), least = half_at(block + 2);
  for (int run = 0; run < kRuns; ++run) {
    const RunScale packed = run_scale(block + 4, run);
    const float step = scale * static_cast<float>(packed.scale);
    const float below = least * static_cast<float>(packed.least);
    for (int i = 0; i < kRun; ++i) {
      const int high = block[16 + i] >> run & 1;
      const int code = code_of_four(block + 48, run, i) | high << 4;
      values[run * kRun + i] = step * static_cast<float>(code) - below;
    }
  }
}

// Four low bits of each code, two high ones, 16 scales of eight bits, one half. In each half of the
// block low nibbles of 64 bytes come first, then their high ones.
void widen_q6_k(const std::uint8_t* block, float* values) {
  const std::uint8_t* highs = block + 128;
  const std::uint8_t* scales = block + 192;
  const float scale = half_at(block + 208);
  for (int run = 0; run < kRuns; ++run) {
    const int half = run / 4, quarter = run % 4;
    for (int i = 0; i < kRun; ++i) {
      const int low = block[half * 64 + quarter % 2 * kRun + i] >> 4 * (quarter / 2) & 15;
      const int high = highs[half * kRun + i] >> 2 * quarter & 3;
      const auto part = static_cast<std::int8_t>(scales[2 * run + i / 16]);
      const float step = scale * static_cast<float>(part);
      values[run * kRun + i] = step * static_cast<float>((low | high << 4) - 32);
    }
  }
}

}  // namespace fineprint::tensorfile

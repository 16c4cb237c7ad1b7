// Blocks whose codes of four bits name one of sixteen values.
#include "tensorfile/blocks/codecs.h"

namespace fineprint::tensorfile {
namespace {

using SixteenValues = std::array<std::int8_t, 16>;

// Denser around zero, where most weights are. Source: ggml's IQ4_NL.
constexpr SixteenValues kUneven{-127, -104, -83, -65, -49, -35, -22, -10,
                                1,    13,   25,  38,  53,  69,  89,  113};
// Twice the numbers of E2M1. Source: OCP, "Microscaling Formats (MX) v1.0" (2023), section 5.3.3.
constexpr SixteenValues kE2m1Doubled{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// Half of the number 2^(code - 127). Source: as above, section 5.4.1.
float half_of_e8m0(std::uint32_t code) {
  return std::bit_cast<float>(code < 2 ? 0x00200000U << code : (code - 1) << 23);
}

// 32 values: low nibbles, then high ones.
void widen_run(const SixteenValues& table, float step, const std::uint8_t* codes, float* values) {
  for (std::size_t i = 0; i < 16; ++i) {
    values[i] = step * static_cast<float>(table[codes[i] & 15U]);
    values[i + 16] = step * static_cast<float>(table[codes[i] >> 4U]);
  }
}

}  // namespace

void widen_iq4_nl(const std::uint8_t* block, float* values) {
  widen_run(kUneven, half_at(block), block + 2, values);
}

// Eight runs, whose scales of six bits around 32 have two bits in one place and four in another.
void widen_iq4_xs(const std::uint8_t* block, float* values) {
  const float scale = half_at(block);
  const int highs = little_u16(block + 2);
  for (int run = 0; run < 8; ++run) {
    const int low = block[4 + run / 2] >> 4 * (run % 2) & 15;
    const int high = highs >> 2 * run & 3;
    const float step = scale * static_cast<float>((low | high << 4) - 32);
    widen_run(kUneven, step, block + 8 + 16 * run, values + 32 * run);
  }
}

void widen_mxfp4(const std::uint8_t* block, float* values) {
  widen_run(kE2m1Doubled, half_of_e8m0(block[0]), block + 1, values);
}

}  // namespace fineprint::tensorfile

// Products with blocks of codes for any processor, in the compiler's vector types.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "nets/products/blocks/run_layout.h"
#include "nets/products/blocks/scales.h"

#define FINEPRINT_TARGET

namespace fineprint::nets {
namespace {

struct Set {
  using Lanes = float __attribute__((vector_size(16)));
  using Words = std::uint32_t __attribute__((vector_size(16)));
  using Signed = std::int32_t __attribute__((vector_size(16)));
  using Sums = Signed;
  static constexpr std::int64_t kRows = 4;
  static constexpr std::int64_t kGroup = 4;
  static constexpr bool kPairSums = false;
  static constexpr bool kSignedCodes = false;

  // The codes of four rows by columns.
  struct Codes {
    std::int32_t columns[4][4];
  };

  static Lanes load(const float* at) { return read<Lanes>(at); }
  static void store(float* at, Lanes lanes) { std::memcpy(at, &lanes, sizeof lanes); }
  static Lanes all(const std::uint8_t* at) {
    const auto value = read<float>(at);
    return Lanes{value, value, value, value};
  }
  static Lanes add_product(Lanes a, Lanes b, Lanes sum) { return sum + a * b; }
  static Sums begin(const std::uint8_t* at) {
    const auto value = read<std::int32_t>(at);
    return Sums{value, value, value, value};
  }
  static Lanes floats(Sums sums) { return signed_floats(sums); }
  static Lanes signed_floats(Signed words) { return __builtin_convertvector(words, Lanes); }
  // Source: IEEE 754-2008, section 3.4. Does not handle infinities and NaNs, because files that
  // have such scales are refused when they are read.
  static Lanes halves(Words words) {
    const Words sign = (words & 0x8000U) << 16, size = (words & 0x7FFFU) << 13;
    // Shifted into place, the bits give the value times 2^-112, even for denormals.
    const Lanes scaled = reinterpret_cast<Lanes>(size) * 0x1p112F;
    return reinterpret_cast<Lanes>(sign | reinterpret_cast<Words>(scaled));
  }
  template <bool>
  static Codes codes(const std::uint8_t* at) {
    Codes codes;
    for (int c = 0; c < 4; ++c) {
      for (int r = 0; r < 4; ++r) codes.columns[c][r] = at[4 * r + c];
    }
    return codes;
  }
  template <bool>
  static Sums add_products(Sums sum, const Codes& codes, const std::uint8_t* x) {
    for (int c = 0; c < 4; ++c) {
      sum += read<Signed>(codes.columns[c]) * static_cast<std::int8_t>(x[c]);
    }
    return sum;
  }

  // For a single vector: the sum of a row's products.
  using Partial = std::int32_t;
  static constexpr std::int64_t kRowsOfCodes = 1;

  template <RunLayout kLayout>
  static Partial products_of_run(const std::uint8_t* at, std::int64_t, const std::uint8_t* x) {
    std::int32_t sum = 0;
    for (int i = 0; i < 32; ++i) {
      int code = 0;
      if constexpr (kLayout == RunLayout::bytes)
        code = at[i] ^ 128;  // signed codes become unsigned ones around 128
      if constexpr (kLayout == RunLayout::lows) code = at[i] & 15;
      if constexpr (kLayout == RunLayout::highs) code = at[i] >> 4;
      if constexpr (kLayout == RunLayout::halves) code = i < 16 ? at[i] & 15 : at[i - 16] >> 4;
      sum += code * static_cast<std::int8_t>(x[i]);
    }
    return sum;
  }
  // Returns a number of one run for four rows.
  static Words of_runs(const std::uint8_t* at, std::int64_t) {
    const auto word = read<std::uint32_t>(at);
    return Words{word, word, word, word};
  }
  static void turn_rows(const std::uint8_t* at, std::int64_t step, Words (&words)[4]) {
    turn(at, step, words);
  }
  // Adds up the parts [1, rows].
  static Signed sums_by_row(const Partial (&parts)[1][4]) { return read<Signed>(parts); }
  static Lanes rows_of(Lanes lanes, int) { return lanes; }

  // Loads four words of each row, transposed.
  static void turn(const std::uint8_t* at, std::int64_t step, Words (&words)[4]) {
    for (int i = 0; i < 4; ++i) {
      const std::uint8_t* word = at + 4 * i;
      words[i] = Words{read<std::uint32_t>(word), read<std::uint32_t>(word + step),
                       read<std::uint32_t>(word + 2 * step), read<std::uint32_t>(word + 3 * step)};
    }
  }
  // Looks up each byte, which is below 16, in a table of 16.
  static Words named(Words bytes, const std::uint8_t (&table)[16]) {
    std::uint8_t each[sizeof bytes];
    std::memcpy(each, &bytes, sizeof bytes);
    for (std::uint8_t& byte : each) byte = table[byte];
    return read<Words>(each);
  }

  template <typename Run>
  static void quantise(const float* x, Run* run) {
    std::int32_t largest = 0;
    for (int i = 0; i < 32; ++i) {
      largest = std::max(largest, std::bit_cast<std::int32_t>(std::abs(x[i])));
    }
    run->scale = largest_scale(largest);
    const float inverse = inverse_of(run->scale);
    run->sums[0] = run->sums[1] = 0;
    for (int i = 0; i < 32; ++i) {
      // Without an inverse, values may be infinite.
      const float code = inverse == 0 ? 0.0F : std::nearbyint(x[i] * inverse);
      run->codes[i] = static_cast<std::int8_t>(code);
      run->sums[i / 16] += run->codes[i];
    }
  }

 private:
  template <typename Value>
  static Value read(const void* at) {
    Value value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/blocks/tiles.h"

namespace fineprint::nets {
const BlockKernel kBlocksPortable = {Set::kGroup, quantise_group, multiply_blocks};
}  // namespace fineprint::nets

// Quantises vectors, and multiplies them by panels. The file of each instruction set includes this
// after it has defined `Set`.
#include <array>
#include <utility>

#include "nets/products/blocks/one_vector.h"
#include "nets/products/kernel.h"

namespace fineprint::nets {
namespace {

// Panels that are unpacked together if there are several groups of vectors: 64 rows of 1024
// columns. Those of 16 rows stay in the first-level cache while all groups are multiplied.
constexpr std::int64_t kPanelsBeside = 4, kPanelsInRow = 4;
// Groups that are multiplied before the next panels are unpacked. Their codes stay in the
// second-level cache.
constexpr std::int64_t kGroupsBeside = 16;

// Some instruction sets need signed codes; these read codes 0..255 as signed ones around 128.
template <int kMost>
constexpr bool kSigned = kMost > 127 && Set::kSignedCodes;

// How many sums of two products are added up in 16 bits: as many as cannot overflow, because a code
// of a vector is at most 127. A power of two, so that it divides the quads of a run.
template <int kMost>
constexpr int sums_in_16_bits(int quads) {
  int count = 1;
  while (2 * count <= quads && 2 * count * 2 * 127 * kMost <= 32767) count *= 2;
  return count;
}

// Adds the products of a run for the rows of one register and kVectors vectors. `x` has the codes
// of the vectors, [quads, kVectors, 4]. A template by `Registers`, because only some sets have
// pairs.
template <int kRun, int kMost, int kVectors, typename Registers>
FINEPRINT_INLINE void add_run(const std::uint8_t* codes, const std::uint8_t* x,
                              typename Registers::Sums (&sum)[kVectors]) {
  constexpr int kQuadsOfRun = kRun / 4;
  if constexpr (Registers::kPairSums) {
    constexpr int kTogether = sums_in_16_bits<kMost>(kQuadsOfRun);
#pragma GCC unroll 8
    for (int first = 0; first < kQuadsOfRun; first += kTogether) {
      typename Registers::Pairs pairs[kVectors];
#pragma GCC unroll 8
      for (int quad = first; quad < first + kTogether; ++quad) {
        const auto row_codes =
            Registers::template codes<kSigned<kMost>>(codes + 4 * quad * kPanelRows);
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) {
          const auto two = Registers::template pairs_of<kSigned<kMost>>(
              row_codes, x + 4 * (quad * kVectors + v));
          pairs[v] = quad == first ? two : Registers::add_pairs(pairs[v], two);
        }
      }
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sum[v] = Registers::add_pairs_to(sum[v], pairs[v]);
    }
  } else {
#pragma GCC unroll 8
    for (int quad = 0; quad < kQuadsOfRun; ++quad) {
      const auto row_codes =
          Registers::template codes<kSigned<kMost>>(codes + 4 * quad * kPanelRows);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        sum[v] = Registers::template add_products<kSigned<kMost>>(sum[v], row_codes,
                                                                  x + 4 * (quad * kVectors + v));
      }
    }
  }
}

// Adds up the sums of the rows of one register, from `row` on, for each of kVectors vectors, over
// several panels in a row.
template <int kRun, int kMost, int kVectors>
FINEPRINT_TARGET void add_panels(const Panel* panel, std::int64_t row, std::int64_t runs,
                                 bool least, const std::uint8_t* x, float* sums) {
  constexpr std::int64_t kRunsOfPanel = kPanelColumns / kRun;
  Lanes total[kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) total[v] = Set::load(sums + v * kPanelRows);
  for (std::int64_t first = 0; first < runs; first += kRunsOfPanel, ++panel) {
    const std::uint8_t* codes = panel->codes + 4 * row;
    const std::int64_t count = std::min(kRunsOfPanel, runs - first);
    for (std::int64_t run = 0; run < count; ++run, codes += kRun * kPanelRows) {
      const std::uint8_t* numbers = x + kVectors * kRun;
      typename Set::Sums sum[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sum[v] = Set::begin(numbers + 4 * v);
      add_run<kRun, kMost, kVectors, Set>(codes, x, sum);
      const Lanes step = Set::load(panel->steps + run * kPanelRows + row);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const Lanes scale = step * Set::all(numbers + 4 * (kVectors + v));
        total[v] = Set::add_product(Set::floats(sum[v]), scale, total[v]);
      }
      if (least) {
        const Lanes below = Set::load(panel->leasts + run * kPanelRows + row);
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) {
          total[v] = Set::add_product(below, Set::all(numbers + 4 * (2 * kVectors + v)), total[v]);
        }
      }
      x = numbers + 12 * kVectors;
    }
  }
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) Set::store(sums + v * kPanelRows, total[v]);
}

using AddPanels = void (*)(const Panel*, std::int64_t, std::int64_t, bool, const std::uint8_t*,
                           float*);
using Unpack = void (*)(const PanelRows&, std::int64_t, std::int64_t, Panel*);

template <int kRun, int kMost, std::size_t... kIndex>
AddPanels adder(std::int64_t vectors, std::index_sequence<kIndex...>) {
  static constexpr AddPanels kAdders[] = {add_panels<kRun, kMost, kIndex + 1>...};
  return kAdders[vectors - 1];
}

AddPanels adder_for(const CodecFacts& facts, std::int64_t vectors) {
  constexpr auto kGroup = std::make_index_sequence<Set::kGroup>();
  if (facts.run == 16) {
    return facts.most <= 15 ? adder<16, 15>(vectors, kGroup) : adder<16, 63>(vectors, kGroup);
  }
  if (facts.most > 63) return adder<32, 255>(vectors, kGroup);
  return facts.most <= 15 ? adder<32, 15>(vectors, kGroup) : adder<32, 31>(vectors, kGroup);
}

Unpack unpack_for(Codec codec) {
  switch (codec) {
    case Codec::q4_0:
      return unpack<Codec::q4_0>;
    case Codec::q4_1:
      return unpack<Codec::q4_1>;
    case Codec::q5_0:
      return unpack<Codec::q5_0>;
    case Codec::q5_1:
      return unpack<Codec::q5_1>;
    case Codec::q8_0:
      return unpack<Codec::q8_0>;
    case Codec::q2_k:
      return unpack<Codec::q2_k>;
    case Codec::q3_k:
      return unpack<Codec::q3_k>;
    case Codec::q4_k:
      return unpack<Codec::q4_k>;
    case Codec::q5_k:
      return unpack<Codec::q5_k>;
    case Codec::q6_k:
      return unpack<Codec::q6_k>;
    case Codec::iq4_nl:
      return unpack<Codec::iq4_nl>;
    case Codec::iq4_xs:
      return unpack<Codec::iq4_xs>;
    case Codec::mxfp4:
      return unpack<Codec::mxfp4>;
    case Codec::grouped4:
      return unpack<Codec::grouped4>;
    case Codec::grouped8:
      return unpack<Codec::grouped8>;
  }
  return nullptr;
}

// The product of some groups of vectors and panels of the matrix.
class PanelProduct {
 public:
  PanelProduct(const BlockProduct& product, std::int64_t first_group, std::int64_t end_group,
               std::int64_t groups)
      : product_(product),
        facts_(codec_facts(product.weight.codec)),
        unpack_(unpack_for(product.weight.codec)) {
    for (std::int64_t g = first_group; g < end_group; ++g) {
      Group& group = groups_[count_++];
      group.first = group_begin(product.vectors, groups, g);
      group.count = group_begin(product.vectors, groups, g + 1) - group.first;
      group.add = adder_for(facts_, group.count);
      vectors_ += group.count;
    }
  }

  void multiply(std::int64_t begin, std::int64_t end) {
    const std::int64_t full_end = std::min(end, product_.weight.rows / kPanelRows);
    if (count_ == 1) {
      // The rows of a panel are far apart, so that each one belongs to one of 16 streams, which are
      // read from beginning to end. The distance is an odd number of rows; otherwise all rows would
      // fall on the same sets of the first-level cache.
      const std::int64_t streams = (full_end - begin - 1) / 2 * 2 + 1;
      for (std::int64_t panel = begin; panel < full_end; ++panel) {
        const bool streamed = panel - begin < streams;
        const std::int64_t row = streamed ? begin * kPanelRows + panel - begin : panel * kPanelRows;
        multiply_rows_of({&product_.weight, row, streamed ? streams : 1}, 1, 1, 0);
      }
    } else {
      for (std::int64_t panel = begin; panel < full_end; panel += kPanelsBeside) {
        multiply_rows_of({&product_.weight, panel * kPanelRows, 1},
                         std::min(kPanelsBeside, full_end - panel), kPanelsInRow, 0);
      }
    }
    if (full_end == end) return;
    // The last rows form a panel with some earlier ones, whose results are not stored.
    const std::int64_t first = product_.weight.rows - kPanelRows;
    multiply_rows_of({&product_.weight, first, 1}, 1, 1, full_end * kPanelRows - first);
  }

 private:
  struct Group {
    std::int64_t first = 0, count = 0;
    AddPanels add = nullptr;
  };

  // Multiplies `panels` panels of consecutive rows; `in_row` panels of consecutive columns are
  // unpacked at a time. Stores all results except those of the first `skipped` rows.
  void multiply_rows_of(const PanelRows& rows, std::int64_t panels, std::int64_t in_row,
                        std::int64_t skipped) {
    const std::int64_t columns = product_.weight.columns, depth = in_row * kPanelColumns;
    std::fill_n(sums_, panels * vectors_ * kPanelRows, 0.0F);
    for (std::int64_t column = 0; column < columns; column += depth) {
      const std::int64_t end = std::min(columns, column + depth);
      for (std::int64_t p = 0; p < panels; ++p) {
        const PanelRows panel_rows = {rows.weight, rows.first + p * kPanelRows, rows.step};
        Panel* panel = panels_ + p * kPanelsInRow;
        for (std::int64_t c = column; c < end; c += kPanelColumns) {
          unpack_(panel_rows, c, std::min(kPanelColumns, end - c), panel++);
        }
      }
      add(panels, column, end);
    }
    for (std::int64_t p = 0; p < panels; ++p) {
      store(rows.first + p * kPanelRows, rows.step, sums_ + p * vectors_ * kPanelRows, skipped);
    }
  }

  // Multiplies all groups by the columns [column, end) of the panels. All groups follow each other
  // for one panel, because it is larger than a group's codes.
  void add(std::int64_t panels, std::int64_t column, std::int64_t end) {
    const std::int64_t row_runs = product_.weight.columns / facts_.run;
    const std::int64_t run = column / facts_.run, runs = end / facts_.run - run;
    for (std::int64_t p = 0; p < panels; ++p) {
      for (std::int64_t g = 0; g < count_; ++g) {
        const Group& group = groups_[g];
        const std::uint8_t* x = product_.x + row_runs * run_bytes(facts_.run, group.first) +
                                run * run_bytes(facts_.run, group.count);
        float* sums = sums_ + (p * vectors_ + group.first - groups_[0].first) * kPanelRows;
        for (std::int64_t row = 0; row < kPanelRows; row += Set::kRows) {
          group.add(panels_ + p * kPanelsInRow, row, runs, facts_.least, x, sums + row);
        }
      }
    }
  }

  void store(std::int64_t first, std::int64_t step, const float* sums, std::int64_t skipped) {
    for (std::int64_t v = 0; v < vectors_; ++v, sums += kPanelRows) {
      float* y = product_.y + (groups_[0].first + v) * product_.weight.rows;
      for (std::int64_t i = skipped; i < kPanelRows; ++i) {
        const std::int64_t row = first + i * step;
        y[row] = product_.bias == nullptr ? sums[i] : sums[i] + product_.bias[row];
      }
    }
  }

  const BlockProduct& product_;
  const CodecFacts facts_;
  const Unpack unpack_;
  std::array<Group, kGroupsBeside> groups_;
  std::int64_t count_ = 0, vectors_ = 0;
  Panel panels_[kPanelsBeside * kPanelsInRow];
  alignas(64) float sums_[kPanelsBeside * kGroupsBeside * Set::kGroup * kPanelRows];
};

void multiply_blocks(const BlockProduct& product, std::int64_t begin, std::int64_t end) {
  const MultiplyBeside beside = beside_for(product.weight.codec);
  if (product.vectors == 1 && beside != nullptr) {
    return multiply_one_vector(product, beside, begin, end);
  }
  // Groups have equal sizes as far as possible, and never more vectors than fit into registers.
  const std::int64_t groups = group_count(product.vectors, Set::kGroup);
  for (std::int64_t group = 0; group < groups; group += kGroupsBeside) {
    PanelProduct(product, group, std::min(groups, group + kGroupsBeside), groups)
        .multiply(begin, end);
  }
}

// A run of 32 values as codes, with their scale and the sums of both halves.
struct VectorRun {
  alignas(64) std::int8_t codes[32];
  std::int32_t sums[2];
  float scale = 0;
};

FINEPRINT_TARGET void quantise_group(Codec codec, const float* x, std::int64_t vectors,
                                     std::int64_t columns, std::uint8_t* out) {
  const CodecFacts facts = codec_facts(codec);
  // Products of signed codes need no offset; the others take it back through the first sum.
  const std::int32_t offset = facts.offset == 128 && Set::kSignedCodes ? 0 : facts.offset;
  const std::int64_t run = facts.run;
  for (std::int64_t c = 0; c < columns; c += kRun) {
    for (std::int64_t v = 0; v < vectors; ++v) {
      VectorRun values;
      Set::quantise(x + v * columns + c, &values);
      for (std::int64_t part = 0; part < kRun; part += run) {
        std::uint8_t* to = out + part / run * run_bytes(run, vectors);
        for (std::int64_t i = 0; i < run; i += 4) {
          std::memcpy(to + i * vectors + 4 * v, values.codes + part + i, 4);
        }
        const std::int32_t sum =
            run == kRun ? values.sums[0] + values.sums[1] : values.sums[part / run];
        const std::int32_t start = -offset * sum;
        const float scaled = values.scale * static_cast<float>(sum);
        to += run * vectors + 4 * v;
        std::memcpy(to, &start, 4);
        std::memcpy(to + 4 * vectors, &values.scale, 4);
        std::memcpy(to + 8 * vectors, &scaled, 4);
      }
    }
    out += kRun / run * run_bytes(run, vectors);
  }
}

}  // namespace
}  // namespace fineprint::nets

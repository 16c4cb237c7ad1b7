// HKRAG's hybrid mask: a page is scored by the dimensions that agree with the question markedly
// (salient) and moderately (fine print), the others dropped.
// Source: HKRAG, section 3.2, Eq. 1 and 2; src/retrieve/README.md lists the readings.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// What the paper's sigma stands for.
enum class Spread { standard_deviation, unbiased_standard_deviation, variance };

// cosine: no mask. hybrid: cosine of the query with the masked page. dense, sparse: the same by one
// of the two indicators alone. blend: (1 - blend_weight) * cosine + blend_weight * hybrid. split:
// salient_weight * (sum of q_j d_j over M = 1) + fine_print_weight * (the same over M = 0.5).
enum class MaskMode { cosine, hybrid, dense, sparse, blend, split };

struct MaskOptions {
  MaskMode mode = MaskMode::hybrid;
  double alpha = 0.5;                                // Eq. 2; 0 or more
  double epsilon = 1e-8;                             // Eq. 1
  Spread inner_spread = Spread::standard_deviation;  // sigma of Eq. 1
  Spread outer_spread = Spread::standard_deviation;  // sigma of Eq. 2
  bool absolute = true;                              // C = |q d|; else q d
  bool swapped = false;                              // indicators with < in place of >
  double blend_weight = 0.5;
  double salient_weight = 1.0;
  double fine_print_weight = 0.5;
};

const OptionTable<MaskOptions>& mask_options();

// scores[r] for every row, in one pass over its memory: C_j = |q_j d_j| of the normalised vectors,
// both thresholds brought back from the sigmoid's scale to C's, and the masked sums. A query or a
// row of zeros scores 0; NaN anywhere scores NaN. The query and the rows need not have unit length.
// In float32, as masked_pair but for values within rounding of a threshold; rows for which float32
// is too coarse (nearly equal agreements, lengths far from 1) are done in float64, at a fraction of
// the speed.
void hybrid_mask_rows(const float* query, const VectorRows& rows, const MaskOptions& options,
                      float* scores);

// Everything about one pair, in float64 and by the letter of the equations; all scores are 0 when a
// vector is 0, and NaN when one holds NaN. Throws Error(internal) when their lengths differ.
struct MaskedPair {
  std::vector<double> agreement;     // C, [dim]
  std::vector<double> squashed;      // Cn, [dim]
  std::vector<std::uint8_t> dense;   // lo_j
  std::vector<std::uint8_t> sparse;  // hi_j
  double cosine = 0, hybrid = 0, dense_cosine = 0, sparse_cosine = 0;
  double salient = 0, fine_print = 0, dropped = 0;  // parts of the cosine by M = 1, 0.5, 0
  double salient_share = 0, fine_print_share = 0;   // of the dimensions
  double score = 0;                                 // as options.mode asks
};
MaskedPair masked_pair(std::span<const double> query, std::span<const double> page,
                       const MaskOptions& options);

// <q, d M> / (|q| |d M|); 0 when either is 0.
double masked_cosine(std::span<const double> query, std::span<const double> page,
                     std::span<const double> mask);

}  // namespace fineprint::score

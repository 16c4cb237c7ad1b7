// HKRAG's hybrid mask. It scores a page by the dimensions that agree with the question strongly
// (salient) or moderately (fine print), and drops all others.
// Source: HKRAG, section 3.2, Eq. 1 and 2; src/retrieve/README.md lists the readings.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/score/vector_rows.h"

namespace fineprint::score {

// Possible readings of the paper's sigma.
enum class Spread { standard_deviation, unbiased_standard_deviation, variance };

// How the mask turns into a score. cosine: no mask. hybrid: cosine of the query with the masked
// page. dense, sparse: the same with only one of the two indicators. blend: (1 - blend_weight) *
// cosine + blend_weight * hybrid. split: salient_weight * (sum of q_j d_j where M = 1) +
// fine_print_weight * (the same where M = 0.5). automatic: hybrid for an encoder that was trained
// with the mask, else cosine; only a search knows the encoder, so here it is the same as hybrid.
enum class MaskMode { cosine, hybrid, dense, sparse, blend, split, automatic };

// Returns the name by which options call a mode.
std::string_view name_of(MaskMode mode);

// The settings of the mask.
struct MaskOptions {
  MaskMode mode = MaskMode::hybrid;
  double alpha = 0.5;                                // Eq. 2; 0 or more
  double epsilon = 1e-8;                             // Eq. 1
  Spread inner_spread = Spread::standard_deviation;  // sigma of Eq. 1
  Spread outer_spread = Spread::standard_deviation;  // sigma of Eq. 2
  bool absolute = true;                              // C = |q d|; else q d
  bool swapped = false;                              // indicators use < instead of >
  double blend_weight = 0.5;
  double salient_weight = 1.0;
  double fine_print_weight = 0.5;
};

// Returns the options that users may set (`--mask-mode`, `--mask-alpha`, ...).
const OptionTable<MaskOptions>& mask_options();

// Computes scores[r] for every row in one pass over its memory: C_j = |q_j d_j| of the normalised
// vectors, both thresholds mapped back from the sigmoid's scale to that of C, and the masked sums.
// A query or row of zeros scores 0; NaN anywhere gives NaN. Vectors need not have unit length.
// Computes in float32, and equals masked_pair unless a value is within rounding of a threshold.
// Rows for which float32 is too coarse (nearly equal agreements, lengths far from 1) are computed
// in float64, at a fraction of the speed.
void hybrid_mask_rows(const float* query, const VectorRows& rows, const MaskOptions& options,
                      float* scores);

// All quantities for one pair, in float64 and exactly by the equations. Scores are 0 if a vector is
// 0, and NaN if one contains NaN.
struct MaskedPair {
  std::vector<double> agreement;     // C, [dim]
  std::vector<double> squashed;      // Cn, [dim]
  std::vector<std::uint8_t> dense;   // lo_j
  std::vector<std::uint8_t> sparse;  // hi_j
  double cosine = 0, hybrid = 0, dense_cosine = 0, sparse_cosine = 0;
  double salient = 0, fine_print = 0, dropped = 0;  // parts of the cosine where M = 1, 0.5, 0
  double salient_share = 0, fine_print_share = 0;   // shares of the dimensions
  double score = 0;                                 // the score by options.mode
};
// Computes the pair. Throws Error(internal) if the lengths differ.
MaskedPair masked_pair(std::span<const double> query, std::span<const double> page,
                       const MaskOptions& options);

// Returns <q, d M> / (|q| |d M|), or 0 if either vector is 0.
double masked_cosine(std::span<const double> query, std::span<const double> page,
                     std::span<const double> mask);

}  // namespace fineprint::score

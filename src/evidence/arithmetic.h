// What is computed of figures, and how it is written.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "fineprint/models/reader.h"

namespace fineprint::evidence {

// A number that was pointed at.
struct Figure {
  double value = 0;
  int decimals = 0;   // as printed
  std::string shown;  // its digits as printed, "-" before them where it is negative
};

// The same times a power of ten.
Figure scaled(const Figure& figure, double factor);

struct Computed {
  std::string text;        // the value in plain digits
  std::string derivation;  // "(5 - 4) / 4"
};

// Sum and average of all figures; difference, ratio and change of the first two, in order. Changes,
// and ratios where `in_percent`, are multiplied by 100. nullopt where a divisor is 0. Written with
// no more digits than the figures have, quotients with two more, or two.
std::optional<Computed> compute(models::ReaderOperator operation, std::span<const Figure> figures,
                                bool in_percent);

}  // namespace fineprint::evidence

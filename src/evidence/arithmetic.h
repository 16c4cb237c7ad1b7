// Computes with figures, and writes results as they would be printed.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "fineprint/models/qa_model.h"

namespace fineprint::evidence {

// A number that the model points at.
struct Figure {
  double value = 0;
  int decimals = 0;   // decimals as printed
  std::string shown;  // its digits as printed, after "-" if it is negative
};

// Returns the figure times a power of ten, with its decimals adjusted.
Figure scaled(const Figure& figure, double factor);

// A computed value and how it was computed.
struct Computed {
  std::string text;        // the value in plain digits
  std::string derivation;  // "(5 - 4) / 4"
};

// Computes sum and average of all figures, or difference, ratio and change of the first two, in
// order. Changes are multiplied by 100 if `in_percent`, and so are ratios. Returns nullopt if a
// divisor is 0. The text has no more decimals than the figures; averages have up to two more,
// quotients two.
std::optional<Computed> compute(models::QaOperator operation, std::span<const Figure> figures,
                                bool in_percent);

}  // namespace fineprint::evidence

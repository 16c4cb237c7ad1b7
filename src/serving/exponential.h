// e^x in a form that compilers turn into vector instructions.
#pragma once

#include <bit>
#include <cstdint>

namespace fineprint::serving {

// The lowest x that `exp_of_non_positive` accepts. Callers must clamp lower values to it: their
// exponentials are practically 0. A clamp inside the function would be a branch, which prevents
// vectorisation.
inline constexpr double kLowestExponent = -700;

// Returns e^x for x in [kLowestExponent, 0], within 1e-12 of its value. NaN stays NaN. Method: x =
// n ln 2 + r with |r| <= ln(2) / 2, so e^x = 2^n e^r, and a polynomial gives e^r.
inline double exp_of_non_positive(double x) {
  constexpr double kLog2E = 1.4426950408889634074;
  constexpr double kLn2High =
      6.93147180369123816490e-01;  // its lowest 20 bits are 0, so that n * kLn2High is exact
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
  const double shifted = x * kLog2E + kRound;
  const double n = shifted - kRound;
  const double r = (x - n * kLn2High) - n * kLn2Low;
  double e = 1.0 / 3628800;  // Horner's scheme of the series up to r^10 / 10!
  e = e * r + 1.0 / 362880;
  e = e * r + 1.0 / 40320;
  e = e * r + 1.0 / 5040;
  e = e * r + 1.0 / 720;
  e = e * r + 1.0 / 120;
  e = e * r + 1.0 / 24;
  e = e * r + 1.0 / 6;
  e = e * r + 0.5;
  e = e * r + 1.0;
  e = e * r + 1.0;
  // The low bits of `shifted` hold n; moved into the exponent field they give 2^n.
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return e * std::bit_cast<double>(exponent);
}

}  // namespace fineprint::serving

// Computes which numbers a reply may write under a schema's bounds.
#include <algorithm>
#include <cmath>

#include "grammar/schema_node.h"

namespace fineprint::grammar {
namespace {

// A double distinguishes all multiples of 10^-6, and of larger powers of ten, with up to 15 digits.
// A number that is written in decimals and read back is therefore on the same side of a bound.
constexpr std::int64_t kLimit = 999'999'999'999'999;
constexpr std::int64_t kNumberScale = 1'000'000;

double value_of(std::int64_t units, std::int64_t scale) {
  return static_cast<double>(units) / static_cast<double>(scale);
}

// Returns the least number of units that is not below `bound`. The product is rounded, so the
// search begins two units lower.
std::int64_t units_from(double bound, std::int64_t scale) {
  if (bound <= value_of(-kLimit, scale)) return -kLimit;
  if (bound > value_of(kLimit, scale)) return kLimit + 1;
  auto units = static_cast<std::int64_t>(std::floor(bound * static_cast<double>(scale))) - 2;
  while (value_of(units, scale) < bound) ++units;
  return std::max(units, -kLimit);
}

}  // namespace

std::optional<WritableNumbers> writable_numbers(const SchemaNode& node) {
  WritableNumbers out{node.kind == SchemaKind::integer ? 1 : kNumberScale, -kLimit, kLimit};
  if (node.minimum) out.low = units_from(*node.minimum, out.scale);
  if (node.maximum) out.high = -units_from(-*node.maximum, out.scale);
  if (out.low > out.high) return std::nullopt;
  return out;
}

}  // namespace fineprint::grammar

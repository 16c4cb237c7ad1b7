// Decides which digits can still lead to a number in range, in integer arithmetic: floating point
// would misjudge bounds with many digits.
#include "grammar/number_state.h"

#include <algorithm>

#include "grammar/token_trie.h"

namespace fineprint::grammar {
namespace {

std::int64_t power_of_ten(int exponent) {
  std::int64_t out = 1;
  for (; exponent > 0; --exponent) out *= 10;
  return out;
}

// Limits of JsonConstraint: 15 digits in all, 6 of them after the point unless it is an integer. A
// double holds 15 digits exactly.
int fraction_digits(const WritableNumbers& range) { return range.scale == 1 ? 0 : 6; }
int integer_digits(const WritableNumbers& range) { return 15 - fraction_digits(range); }

// A closed range; empty if first > last.
struct Interval {
  std::int64_t first = 0, last = 0;
};

// Returns true if `range` holds a product of `unit` and one of the factors.
bool has_multiple(const Interval& factors, std::int64_t unit, const Interval& range) {
  const std::int64_t first = std::max(factors.first, (range.first + unit - 1) / unit);
  return first <= std::min(factors.last, range.last / unit);
}

// Returns the magnitudes of the numbers in range that have this sign, in units of 1 / scale. Minus
// zero is never written, so negative magnitudes begin at 1.
Interval magnitudes(bool negative, const WritableNumbers& range) {
  if (negative) return {std::max<std::int64_t>(1, -range.high), -range.low};
  return {std::max<std::int64_t>(0, range.low), range.high};
}

// Returns the fewest digits that complete a number whose point is written; kNever if none do.
std::uint32_t after_point(const NumberState& state, const WritableNumbers& range,
                          const Interval& allowed) {
  for (int more = state.fraction == 0 ? 1 : 0; more + state.fraction <= 6; ++more) {
    const std::int64_t power = power_of_ten(more);
    const Interval factors = {state.digits * power, state.digits * power + power - 1};
    const std::int64_t unit = range.scale / power_of_ten(state.fraction + more);
    if (has_multiple(factors, unit, allowed)) return static_cast<std::uint32_t>(more);
  }
  return kNever;
}

// Returns the fewest bytes if exactly `more` digits come first, then optionally a point and a
// fraction.
std::uint32_t after_digits(const NumberState& state, int more, const WritableNumbers& range,
                           const Interval& allowed) {
  const std::int64_t power = power_of_ten(more);
  Interval integers = {state.digits * power, state.digits * power + power - 1};
  // A number of several digits has no leading zero.
  if (state.count == 0 && more > 1) integers.first = power / 10;
  for (int fraction = 0; fraction <= fraction_digits(range); ++fraction) {
    const std::int64_t parts = power_of_ten(fraction);
    const Interval factors = {integers.first * parts, integers.last * parts + parts - 1};
    if (has_multiple(factors, range.scale / parts, allowed)) {
      return static_cast<std::uint32_t>(more + (fraction > 0 ? fraction + 1 : 0));
    }
  }
  return kNever;
}

// Returns the fewest bytes that complete the number with the sign it has.
std::uint32_t bytes_with_sign(const NumberState& state, const WritableNumbers& range) {
  const Interval allowed = magnitudes(state.negative, range);
  if (allowed.first > allowed.last) return kNever;
  if (state.has_point) return after_point(state, range, allowed);
  // After a first digit 0 only a point may follow.
  const bool is_zero = state.count > 0 && state.digits == 0;
  const int most = is_zero ? 0 : integer_digits(range) - state.count;
  std::uint32_t best = kNever;
  for (int more = state.count == 0 ? 1 : 0; more <= most; ++more) {
    if (static_cast<std::uint32_t>(more) >= best) break;
    best = std::min(best, after_digits(state, more, range, allowed));
  }
  return best;
}

}  // namespace

std::uint32_t bytes_to_number(const NumberState& state, const WritableNumbers& range) {
  if (!state.is_empty()) return bytes_with_sign(state, range);
  NumberState negative;
  negative.negative = true;
  return std::min(bytes_with_sign(state, range), 1 + bytes_with_sign(negative, range));
}

bool add_byte(std::uint8_t byte, const WritableNumbers& range, NumberState* state) {
  if (byte == '-') {
    if (!state->is_empty()) return false;
    state->negative = true;
  } else if (byte == '.') {
    if (state->has_point || state->count == 0 || range.scale == 1) return false;
    state->has_point = true;
  } else if (byte >= '0' && byte <= '9') {
    if (!state->has_point && state->count > 0 && state->digits == 0) return false;
    auto& count = state->has_point ? state->fraction : state->count;
    if (count >= (state->has_point ? fraction_digits(range) : integer_digits(range))) return false;
    ++count;
    state->digits = state->digits * 10 + (byte - '0');
  } else {
    return false;
  }
  return bytes_to_number(*state, range) < kNever;
}

bool can_grow(const NumberState& state, const WritableNumbers& range) {
  static constexpr std::string_view kBytes = "-.0123456789";
  return std::ranges::any_of(kBytes, [&](char byte) {
    NumberState next = state;
    return add_byte(static_cast<std::uint8_t>(byte), range, &next);
  });
}

}  // namespace fineprint::grammar

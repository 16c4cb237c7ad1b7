// A decimal number while a reply writes it: which digits can still lead to a number in range.
#pragma once

#include <cstdint>

#include "grammar/schema_node.h"

namespace fineprint::grammar {

// The digits so far. Replies write neither exponents nor leading zeros nor minus zero, so that each
// number has one spelling up to trailing zeros of the fraction.
struct NumberState {
  std::int64_t digits = 0;    // all digits as one integer, those after the point included
  std::uint8_t count = 0;     // digits before the point
  std::uint8_t fraction = 0;  // digits after the point
  bool negative = false;
  bool has_point = false;

  bool is_empty() const { return count == 0 && !negative; }
};

// Appends one byte. Returns false if no number in range begins like that; `state` must not be used
// then.
bool add_byte(std::uint8_t byte, const WritableNumbers& range, NumberState* state);

// Returns the fewest further bytes that complete a number in range: 0 if it is one already, kNever
// if none can.
std::uint32_t bytes_to_number(const NumberState& state, const WritableNumbers& range);

// Returns true if another byte may still be appended.
bool can_grow(const NumberState& state, const WritableNumbers& range);

}  // namespace fineprint::grammar

// A decimal number while it is written, kept within bounds digit by digit.
#pragma once

#include <cstdint>

#include "grammar/schema_node.h"

namespace fineprint::grammar {

// Numbers have no exponent and no leading zeros, and minus zero is not written.
struct NumberState {
  std::int64_t digits = 0;  // all of them, before and after the point
  std::uint8_t count = 0;   // of digits before the point
  std::uint8_t fraction = 0;
  bool negative = false;
  bool has_point = false;

  bool is_empty() const { return count == 0 && !negative; }
};

// Goes on by one byte; false when no number in range begins like that.
bool add_byte(std::uint8_t byte, const WritableNumbers& range, NumberState* state);

// The fewest bytes that make it a number in range: 0 when it is one; kNever when none do.
std::uint32_t bytes_to_number(const NumberState& state, const WritableNumbers& range);

// Whether some byte may still be added.
bool can_grow(const NumberState& state, const WritableNumbers& range);

}  // namespace fineprint::grammar

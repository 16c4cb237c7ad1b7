// The places in a program where a reply may be, followed byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grammar/number_state.h"
#include "grammar/program.h"
#include "grammar/string_point.h"

namespace fineprint::grammar {

// One way to read the bytes so far. There are several while alternatives begin alike: for example,
// after `{"a` the schema may still allow the keys "answer" and "abstain".
struct Position {
  std::uint32_t step = 0;  // always a literal, a string, a number, or the end
  std::uint32_t at = 0;    // literal: bytes written; string: code points it may still begin
  StringPoint point = StringPoint::blank_or_quote;
  bool had_blank = false;
  NumberState number;
  std::array<std::uint16_t, kMaxOpenArrays> items{};  // complete items of each open array
};

using Positions = std::vector<Position>;

// Enters `step` with the item counts of `from`: adds to `out` every position that a reply may then
// have. Choices and array steps are resolved at once, so that positions are only ever at steps that
// write bytes.
void enter(const Program& program, std::uint32_t step, const Position& from, Positions* out);

// Adds to `out` the positions after one more byte; adds none if the byte cannot come next.
void advance(const Program& program, const Position& position, std::uint8_t byte, Positions* out);

// Returns an upper bound of the fewest tokens that end the reply from here. At least one token
// leads to a position whose bound is lower by one: a reply that keeps within its bound can
// therefore always be ended in time.
std::uint32_t cost_to_end(const Program& program, const TokenTrie& trie, const Position& position);
// Returns the bound of the cheapest position, or kNever if there are none.
std::uint32_t cost_to_end(const Program& program, const TokenTrie& trie,
                          const Positions& positions);
// Returns the bound from the closing quote of the string at `position` to the end of the reply.
std::uint32_t cost_after_string(const Program& program, const Position& position);

}  // namespace fineprint::grammar

// Where in a program a reply may be, byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "grammar/number_state.h"
#include "grammar/program.h"
#include "grammar/string_point.h"

namespace fineprint::grammar {

// One way to read the bytes so far. Several are kept side by side where alternatives begin alike.
struct Position {
  std::uint32_t step = 0;  // a literal, a string, a number, or the end
  std::uint32_t at = 0;    // literal: bytes written; string: code points that may still begin
  StringPoint point = StringPoint::blank_or_quote;
  bool had_blank = false;
  NumberState number;
  std::array<std::uint16_t, kMaxOpenArrays> items{};  // complete ones of the arrays around it
};

using Positions = std::vector<Position>;

// Adds the positions at which a reply may be when it comes to `step` with the counts of `from`.
void enter(const Program& program, std::uint32_t step, const Position& from, Positions* out);

// Adds the positions after one more byte; none when it cannot come next.
void advance(const Program& program, const Position& position, std::uint8_t byte, Positions* out);

// Tokens with which the reply can be ended from here; an upper bound of the fewest, and one of
// them leads to a position whose bound is lower by one.
std::uint32_t cost_to_end(const Program& program, const TokenTrie& trie, const Position& position);
// Of the cheapest; kNever when there are none.
std::uint32_t cost_to_end(const Program& program, const TokenTrie& trie,
                          const Positions& positions);
// The same from the end of the string at which the position is.
std::uint32_t cost_after_string(const Program& program, const Position& position);

}  // namespace fineprint::grammar

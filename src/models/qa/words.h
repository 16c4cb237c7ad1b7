// Classifies what words look like and what kind of answer questions ask for.
#pragma once

#include <cstdint>
#include <string_view>

namespace fineprint::models {

// What a word looks like. For example, answers to "who" are capitalised, and answers to "when" are
// years.
enum class WordShape : std::uint8_t {
  none,  // no word but a mark
  lower,
  capitalised,
  capitals,  // two or more
  mixed,     // "iPhone", "A4"
  number,
  year,  // four digits, 1500 to 2199
  percent,
  money,
};
// Returns the shape of a word, or of the text of a cell.
WordShape shape_of(std::string_view word);

// The kind of answer that an English question asks for.
enum class Sought : std::uint8_t {
  something,
  person,
  time,
  place,
  number,
  amount,
  percentage,
  extent,  // how long, how old
  which,
  what,
  reason,  // or manner
  verdict,
};
// Returns the kind by the first phrase that matches.
Sought sought_by(std::string_view question);

}  // namespace fineprint::models

// What words look like and what questions want.
#pragma once

#include <cstdint>
#include <string_view>

namespace fineprint::models {

// What a word looks like: answers to "who" are capitalised, those to "when" years.
enum class WordShape : std::uint8_t {
  none,  // no word: a mark
  lower,
  capitalised,
  capitals,  // two and more
  mixed,     // "iPhone", "A4"
  number,
  year,  // four digits, 1500 to 2199
  percent,
  money,
};
WordShape shape_of(std::string_view word);

// What kind of answer a question's words want, in English.
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
Sought sought_by(std::string_view question);

}  // namespace fineprint::models

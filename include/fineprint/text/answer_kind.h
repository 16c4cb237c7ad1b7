// Finds out what kind of answer a question asks for, and finds values of that kind in a passage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/text/sentences.h"

namespace fineprint::text {

// The kind of an answer. `text` is any answer that none of the other kinds describes.
enum class AnswerKind {
  text,
  number,
  money,
  percent,
  date,
  name,
  yes_no,
  list,
  count,
  phone,  // a telephone or fax number
  email,
  website
};

// Returns the name of a kind, for example "yes_no".
std::string_view kind_name(AnswerKind kind);

// Returns true for the kinds that say where somebody can be reached: phone, email and website.
bool is_address(AnswerKind kind);

// Judges the kind from the words of the question. For example, "how many ..." is a count, "what
// percentage ..." a percent, and "is/does ..." yes_no. For languages other than English (""), only
// kinds of numbers and dates are recognised; everything else is `text`.
AnswerKind answer_kind(std::string_view question, std::string_view language = {});

// A value found in a passage.
struct Value {
  AnswerKind kind = AnswerKind::text;
  Span span;         // its bytes in the passage
  std::string text;  // as written in the passage, with sign, currency and unit
  // For number, money, percent and count. A number in brackets is negative, and scale words are
  // multiplied out: "2 million" is 2000000.
  double number = 0;
};

// Returns all values of a kind, in the order of the passage.
// - `number` and `count`: any number that is not part of a date. If there are only dates, their
//   numbers. `count` also finds number words.
// - `money`: numbers with a currency, or that look like an amount (a scale word, separated
//   thousands, brackets). If there are none, any number.
// - `percent` and `date`: percentages; dates, quarters, years and times of day.
// - `name`: runs of capitalised words. `list`: the items of an enumeration. `yes_no`: words that
//   affirm or deny.
// - `phone`: numbers of seven to fifteen digits, written as people dial them. `email`, `website`:
//   addresses.
// - `text`: never has values.
// Invalid UTF-8 is part of no value. A passage in a language other than English ("") is read by
// that language's forms of numbers and dates ("1.234,56 Mio. Euro", "12. März 2024",
// "2024年3月12日"); `name`, `list`, `yes_no` and addresses have no values there.
std::vector<Value> find_values(std::string_view passage, AnswerKind kind,
                               std::string_view language = {});

// Returns whether a word in lower case is an English month or day of the week.
bool is_calendar_word(std::string_view folded);

}  // namespace fineprint::text

// What kind of answer a question asks for, and the values of that kind in a passage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/text/sentences.h"

namespace fineprint::text {

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
  phone,  // a number that is dialled, of telephones and faxes
  email,
  website
};

std::string_view kind_name(AnswerKind kind);

// Whether the kind is where somebody is reached: `phone`, `email`, `website`.
bool is_address(AnswerKind kind);

// Judged from the question's own words ("how many", "what percentage", "who", "when", "is/does
// ..."). In other languages than English ("") only numbers, amounts, shares and dates are told.
AnswerKind answer_kind(std::string_view question, std::string_view language = {});

// A value found in a passage.
struct Value {
  AnswerKind kind = AnswerKind::text;
  Span span;          // in the passage
  std::string text;   // as it stands in the passage, with sign, currency and unit
  double number = 0;  // for number, money, percent, count; brackets mean negative, scale words
                      // ("million", "bn") are multiplied out
};

// All values of a kind in order of appearance. `number` and `count` find any number that is not a
// date or a bare year unless nothing else is there (`count` also number words); `money` finds what
// has a currency or looks like an amount (a scale word, separated thousands, brackets), else any
// number; `name` finds runs of capitalised words, `list` the items of an enumeration, `yes_no`
// words that affirm or deny; `phone` finds numbers of seven to fifteen digits that are written as
// one dials them, `email` and `website` addresses. `text` has no values. Invalid UTF-8 is in no
// value. A passage in another language than English ("") is read by its forms of numbers and dates
// ("1.234,56 Mio. Euro", "12. März 2024", "2024年3月12日"); `name`, `list`, `yes_no` and addresses
// have no values there.
std::vector<Value> find_values(std::string_view passage, AnswerKind kind,
                               std::string_view language = {});

}  // namespace fineprint::text

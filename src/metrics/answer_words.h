// Splits a short answer into words and numbers that can be compared.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::metrics {

// A number as an answer contains it.
struct Number {
  double value = 0;  // a percentage is divided by 100
  bool percent = false;
  double scale = 1;   // 1e6 if "million" follows; not applied to `value`
  bool year = false;  // a bare integer from 1900 to 2100
};

// A word, or a number in its plain form.
struct Word {
  std::string text;  // folded; the plain form of a number: "-1234.5", "5%"
  std::optional<Number> number;
  bool operator==(const Word& other) const { return text == other.text; }
};

// Returns the words between white space, without articles and surrounding punctuation.
std::vector<Word> answer_words(std::string_view answer);

}  // namespace fineprint::metrics

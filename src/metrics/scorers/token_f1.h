// F1 of two bags of words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::metrics {

// Splits at white space of all kinds.
std::vector<std::string> words_of(std::string_view text);

// Precision, recall and F1 of a prediction.
struct Overlap {
  double precision = 0, recall = 0, f1 = 0;
};

// Compares bags of words; each word counts as often as both contain it. All are 0 if they share
// none.
Overlap overlap_of(const std::vector<std::string>& prediction,
                   const std::vector<std::string>& reference);

// Returns the words by SQuAD's rules: lower case, without ASCII punctuation and the words a, an,
// the. Source: Rajpurkar et al., SQuAD (2016), the official evaluation.
std::vector<std::string> squad_words(std::string_view text);

// Returns true for Python's string.punctuation.
bool is_ascii_punctuation(char c);

}  // namespace fineprint::metrics

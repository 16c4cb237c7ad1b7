// F1 of two bags of words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::metrics {

// Words between white space of all kinds.
std::vector<std::string> words_of(std::string_view text);

struct Overlap {
  double precision = 0, recall = 0, f1 = 0;
};

// Of words as often as both have them; all 0 where there is none.
Overlap overlap_of(const std::vector<std::string>& prediction,
                   const std::vector<std::string>& reference);

// Rules of SQuAD: lower case, without ASCII punctuation and the words a, an, the.
// Source: Rajpurkar et al., SQuAD (2016), the official evaluation.
std::vector<std::string> squad_words(std::string_view text);

// Each of ASCII's punctuation marks is deleted, or becomes a blank.
bool is_ascii_punctuation(char c);

}  // namespace fineprint::metrics

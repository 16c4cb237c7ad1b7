// Joins and trims texts, lowers ASCII letters, and recognises years.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace fineprint {

// Returns the texts of a range with `separator` between them; an empty range gives an empty text.
// For example, join_texts(names, ", ") is "bm25, text". `text_of` returns an element's text, or is
// the member that holds it, as in join_texts(sets, ", ", &VectorSet::name).
template <class Range, class TextOf = std::identity>
std::string join_texts(const Range& range, std::string_view separator, TextOf text_of = {}) {
  std::string all;
  bool is_first = true;
  for (const auto& one : range) {
    if (!is_first) all += separator;
    is_first = false;
    all += std::invoke(text_of, one);
  }
  return all;
}

// Returns the text without spaces, tabs and line ends (CR and LF) around it, as a part of `text`.
std::string_view trim(std::string_view text);

// Returns the number of words: runs of characters without ASCII white space.
std::size_t count_spaced_words(std::string_view text);

// Returns the text with A to Z in lower case. Other bytes stay, so that UTF-8 stays valid; for
// other letters see lower_case() in letter_case.h.
std::string lower_ascii(std::string_view text);

// Returns whether the text is nothing but a year, for example "2019": four ASCII digits from 1900
// to 2099.
bool is_bare_year(std::string_view text);

}  // namespace fineprint

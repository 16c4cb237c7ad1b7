// Splits text into the terms of the keyword search.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Returns the terms of a text in order, repeats included. The text is folded (see unicode.h) and
// split at everything that is neither letter nor digit. Stop words and the parts after an
// apostrophe ("'s", "n't") are removed. The rest goes through Snowball's stemmer for the language,
// if there is one ("" is English). Special cases:
// - Scripts without blanks between words (Chinese, Japanese, Thai, ...) are split by ICU's
//   dictionaries.
// - Numbers are spelt the same in all languages: "1,234.5", German "1.234,5" and the same in Arabic
//   digits all give "1234.5".
// - "FY2022" and "FY22" also give "2022".
// - Words with a digit are not stemmed.
// - Words with accents, Korean particles or Hebrew and Arabic prefixes also give the terms without
//   them, after their own (see word_forms.h).
std::vector<std::string> terms(std::string_view utf8, std::string_view language = {});

// A term of a question, with the forms that it takes in pages.
struct QuestionTerm {
  std::string term;  // stemmed in the question's language
  // Different terms of the same word: stems in the other languages of the store and in English, as
  // which pages of an unknown language are stemmed, and those of its forms without accents and
  // attached words.
  std::vector<std::string> spellings;
};

// Returns the terms of a question in `language`, for pages in the languages `stored`. Words that
// only ask ("which", "according to the report", "combien") are removed too, unless nothing else is
// left.
std::vector<QuestionTerm> question_terms(std::string_view utf8, std::string_view language,
                                         std::span<const std::string> stored);

// Returns Snowball's stem of one folded word; the word itself if the language has no stemmer.
std::string stem(std::string_view word, std::string_view language = {});
// Returns true for articles, pronouns, prepositions and similar words. Always false for languages
// without a word list.
bool is_stop_word(std::string_view folded_word, std::string_view language = {});

}  // namespace fineprint::text

// Words as the keyword search sees them: folded, split, stemmed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// The terms of a text in order, repeats kept. Folded (see unicode.h), split at everything that is
// neither letter nor digit, stop words and what follows an apostrophe ("'s", "n't") dropped, the
// rest by the stemmer that Snowball has of the language, if any ("": English). Scripts without
// blanks between words (Chinese, Japanese, Thai, ...) are split by ICU's dictionaries. Numbers are
// spelt alike in all languages: "1,234.5", German "1.234,5" and Arabic digits all give "1234.5".
// "FY2022" and "FY22" also yield "2022". What holds a digit is not stemmed.
std::vector<std::string> terms(std::string_view utf8, std::string_view language = {});

// A term of a question.
struct QuestionTerm {
  std::string term;                    // in the question's language
  std::vector<std::string> spellings;  // where stemmers of other languages leave something else
};

// The terms of a question in `language`, for pages in any of the languages `stored`. Words that
// only ask ("which", "according to the report", "combien") go too, unless nothing else is left.
std::vector<QuestionTerm> question_terms(std::string_view utf8, std::string_view language,
                                         std::span<const std::string> stored);
// The same in English alone.
std::vector<std::string> query_terms(std::string_view utf8);

// Snowball's stem of one folded word; the word itself in languages that it has no stemmer of.
std::string stem(std::string_view word, std::string_view language = {});
// Articles, pronouns, prepositions and the like; none in languages that are not listed.
bool is_stop_word(std::string_view folded_word, std::string_view language = {});

}  // namespace fineprint::text

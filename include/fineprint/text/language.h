// The languages of pages and questions, as ISO 639 codes: "de", "zh".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// English, also where no language was told: "" and "en" mean the same.
bool is_english(std::string_view language);

// Its English name: "German"; the code where it has none.
std::string language_name(const std::string& language);

// The language that most of a text is in; "" when it is too short or too mixed to tell. By CLD2
// (Compact Language Detector 2): scripts, and groups of four letters of 83 languages.
std::string detect_language(std::string_view utf8);

// Fills in Page::language: a page's own where its text tells it, else that of the whole document.
void tell_languages(std::vector<Page>* pages);

// The language of a question, which is too short for `detect_language`: told by its script or, in
// Latin letters, by which language's function words it holds most of ("wie", "viele", "die"). Equal
// counts, and a single word of another language than those in `stored`, mean English. A question
// without any function word is taken for the stored language when that is the only one.
std::string question_language(std::string_view question, std::span<const std::string> stored);

}  // namespace fineprint::text

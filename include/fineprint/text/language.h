// Detects the languages of pages and questions. Languages are ISO 639 codes, for example "de" or
// "zh".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// Returns true for "en" and for "", the code of an unknown language.
bool is_english(std::string_view language);

// Returns the English name, for example "German"; the code itself if it has no name.
std::string language_name(const std::string& language);

// Returns the language of most of the text; "" if the text is too short or too mixed to be sure.
// Uses CLD2 (Compact Language Detector 2), which looks at scripts and at groups of four letters in
// 83 languages.
std::string detect_language(std::string_view utf8);

// Sets Page::language of each page: its own language if that can be detected or follows from its
// script, otherwise the language of most of the document, otherwise the one with the most
// different function words, if there are several.
void tell_languages(std::vector<Page>* pages);

// Returns the language of a question, which is too short for `detect_language`. Scripts other than
// Latin decide alone. For Latin letters, the language with the most function words in the question
// wins ("wie", "viele", "die"). Equal counts mean English, and so does a single word of a language
// that is not in `stored`. If the question has no function word and only one language is stored, it
// is that one.
std::string question_language(std::string_view question, std::span<const std::string> stored);

}  // namespace fineprint::text

// Splits text of scripts that are written without blanks between words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Returns true for characters of Han, kana, Thai, Lao, Khmer and Burmese, in which only a
// dictionary knows where words end.
bool lacks_blanks(char32_t c);

// Appends the words of a run of such characters, by ICU's dictionaries. For a word of three or more
// ideographs, also appends each pair of neighbours, because a dictionary may join a name of two
// characters with its neighbours on one page and not on another.
void append_dictionary_words(std::string_view run, std::vector<std::string>* out);

}  // namespace fineprint::text

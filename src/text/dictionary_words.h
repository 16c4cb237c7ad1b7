// Words of scripts that are written without blanks between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Han, kana, Thai, Lao, Khmer, Burmese: only a dictionary says where their words end.
bool lacks_blanks(char32_t c);

// Appends the words of a run of such characters, by ICU's dictionaries. Of a word of three or more
// ideographs also each two that follow each other: a name of two that a dictionary joined with
// more here and not there is still found.
void append_dictionary_words(std::string_view run, std::vector<std::string>* out);

}  // namespace fineprint::text

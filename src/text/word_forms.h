// Forms of a word, besides the word itself, under which people search for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Returns the other forms of a folded word, before stemming; none for ASCII:
// - without accents, dots and rings ("zurich" for "zürich", "izmir" for "i̇zmir"), except in scripts
//   where marks are vowels or change the sound;
// - without what Korean, Hebrew and Arabic attach to it: particles ("등대" for "등대는"), and
//   prefixes for "the", "and", "in" and similar words.
// A word may have parts that only look attached, so each form comes in addition to the word.
std::vector<std::string> other_forms(std::string_view word);

}  // namespace fineprint::text

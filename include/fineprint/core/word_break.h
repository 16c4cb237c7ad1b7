// Words that go on at the beginning of the next line end with a soft hyphen (U+00AD). It follows
// the word's own hyphen, if it has one: "decommis" + soft hyphen is printed "decommis-", and so is
// "long-" + soft hyphen. append_word() and line_text() join or print such words.
#pragma once

#include <string>

namespace fineprint {

// Removes soft hyphens at the end of a text. Returns whether there were any, so that what follows
// belongs to the same word.
bool take_off_break(std::string* text);

// Puts the hyphen that is printed in place of soft hyphens at the end of a text.
void print_break(std::string* text);

}  // namespace fineprint

// Words that are broken at the ends of lines: "decommis-" and "sioning".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// Marks the words that go on at the beginning of the next line. Such a word ends with a soft
// hyphen (U+00AD) afterwards, and append_word() joins the next word to it: "decommis" + soft hyphen
// has lost the hyphen that only broke it, and "long-" + soft hyphen keeps its own. The pages of the
// document decide: a hyphen is dropped if the joined word occurs elsewhere, and kept if the word
// with the hyphen does, or if both parts are words of their own. If nothing decides, it is dropped.
void mark_broken_words(std::vector<Page>* pages);

// Returns both parts of the words of a chunk whose hyphen was dropped or kept without proof, and
// the other spelling, as one text: what should be searched in addition to the chunk's own text.
std::string other_spellings(const Page& page, const Chunk& chunk);

}  // namespace fineprint::text

// Compares answers with each other, with the question, and with the text that should prove them.
#pragma once

#include <string>

namespace fineprint::pipelines::extractive {

// Returns whether two answers say the same: the same numbers, if both have any ("$1,234 million",
// "1,234"; a scale that one of them leaves out does not count), or else words of which one answer
// has all, and few more ("Tern & Pollock", "Tern & Pollock LLP"). "Yes" and "no" are the same only
// as themselves.
bool is_same_answer(const std::string& one, const std::string& other);

// Returns how much of an answer is in a text, 0 to 1: the share of its words, and at most half of
// that if one of its numbers is missing. 0 for an answer without words of its own, such as "Yes".
double share_held(const std::string& text, const std::string& answer);

// Returns whether an answer says nothing but words of the question ("DECnet" to "What is DECnet?").
// False for "Yes" and "no", and if the question offers a choice ("red or blue").
bool repeats(const std::string& question, const std::string& answer);

}  // namespace fineprint::pipelines::extractive

// The noun that a question asks for: "rent" in "What is the monthly rent of the lodge?".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::pipelines::extractive {

// Returns the terms of the noun, with the words that describe it: those after "what is the",
// "which" or "how many", up to a preposition or verb. Words that only name a kind of answer
// ("year", "city", "number") are left out, because an answer does not come with them. Empty if the
// question has no such noun, or is not in English ("").
std::vector<std::string> asked_noun(std::string_view question, std::string_view language);

}  // namespace fineprint::pipelines::extractive

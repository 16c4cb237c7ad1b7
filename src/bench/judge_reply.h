// What a judge's reply says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint::bench {

// MMLongBench-Doc's form: the text between "Extracted answer:" and "Answer format:", if there is
// one; nullopt without the first.
std::optional<std::string> extracted_answer(std::string_view reply);
// LongDocURL's: the first <concise_answer>...</concise_answer>; nullopt where it, or
// <answer_format>...</answer_format>, is missing.
std::optional<std::string> tagged_answer(std::string_view reply);
// ViDoRAG's rule: the first digit anywhere.
std::optional<int> grade_in(std::string_view reply);
// MDocAgent's: "binary_correctness" of the object from the first '{' to the last '}', cut to a
// whole number; 0 for anything else.
int binary_correctness(std::string_view reply);

}  // namespace fineprint::bench

// Finds the short answer in the reply of a model that was asked to extract it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint::metrics {

// An extracted answer, without surrounding white space.
struct Extraction {
  std::string answer;
  std::string format = {};  // as the reply names it, for example "Integer" or "List"; may be empty
};

// Reads MMLongBench-Doc's form: the text between "Extracted answer:" and "Answer format:". Returns
// nullopt if the first mark is missing.
std::optional<Extraction> marked_extraction(std::string_view reply);

// Reads LongDocURL's form: the first <concise_answer>...</concise_answer> and the first
// <answer_format>...</answer_format>. Returns nullopt if either is missing.
std::optional<Extraction> tagged_extraction(std::string_view reply);

}  // namespace fineprint::metrics

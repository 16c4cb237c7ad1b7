// The short answer within the reply of a model that was asked to extract it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint::metrics {

struct Extraction {
  std::string answer;
  std::string format = {};  // as the reply names it: "Integer", "List"; may be empty
};

// MMLongBench-Doc's form: the text between "Extracted answer:" and "Answer format:". nullopt
// without the first mark.
std::optional<Extraction> marked_extraction(std::string_view reply);

// LongDocURL's form: the first <concise_answer>...</concise_answer> and <answer_format>...
// </answer_format>. nullopt where either is missing.
std::optional<Extraction> tagged_extraction(std::string_view reply);

}  // namespace fineprint::metrics

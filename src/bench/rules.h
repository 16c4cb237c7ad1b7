// Scores of answers by the rules of a benchmark.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::bench {

struct RuleScore {
  Json fields = Json::object();  // the evaluator's own
  double score = 0;              // 0..1
  std::optional<double> standard = {};
  std::vector<std::string> quirks = {};
  std::string error = {};  // with which the published code would have stopped
};

struct RuleScores {
  std::string by;  // the rules that were used
  std::vector<RuleScore> items;
  Json totals = Json::object();  // as the evaluator gives them
};

// `items` are inputs of the scorer of this name, in the order of the scores.
RuleScores score_by_rules(const std::string& scorer, const std::vector<Json>& items);

}  // namespace fineprint::bench

// Scores answers with the rules of a benchmark.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::bench {

struct RuleScore {
  Json fields = Json::object();  // the evaluator's own fields
  double score = 0;              // 0..1
  std::optional<double> standard = {};
  std::vector<std::string> quirks = {};
  std::string error = {};  // with which the published code would have stopped
};

struct RuleScores {
  std::string by;  // the name of the rules
  std::vector<RuleScore> items;
  Json totals = Json::object();  // as the evaluator computes them
};

// Scores `items`, the inputs of the scorer with this name. The scores are in the same order.
RuleScores score_by_rules(const std::string& scorer, const std::vector<Json>& items);

}  // namespace fineprint::bench

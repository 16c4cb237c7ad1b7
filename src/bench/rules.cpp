// Scores by the relaxed match.
#include "bench/rules.h"

#include "fineprint/metrics/answers.h"

namespace fineprint::bench {
namespace {

std::vector<std::string> references_in(const Json& item) {
  if (item.contains("references")) return item.at("references").get<std::vector<std::string>>();
  const Json& answer = item.at("answer");
  return {answer.is_string() ? answer.get<std::string>() : dump_json(answer)};
}

}  // namespace

RuleScores score_by_rules(const std::string&, const std::vector<Json>& items) {
  RuleScores scores{.by = "relaxed", .items = {}};
  for (const Json& item : items) {
    const auto prediction = item.at("prediction").get<std::string>();
    RuleScore score;
    for (const std::string& reference : references_in(item)) {
      if (metrics::relaxed_match(prediction, reference)) score.score = 1;
    }
    scores.items.push_back(std::move(score));
  }
  return scores;
}

}  // namespace fineprint::bench

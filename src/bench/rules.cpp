// Scores with the published evaluators.
#include "bench/rules.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/metrics/scorer.h"

namespace fineprint::bench {
namespace {

// A record that lacks what the rules need scores 0 and records why.
metrics::ScoredItem scored_or_refused(const metrics::Scorer& rules, const Json& item) {
  try {
    return rules.score(item);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::input) throw;
    metrics::ScoredItem refused;
    refused.error = error.what();
    return refused;
  }
}

// Totals of published rules may fail on a record that single scores accept.
Json totals_or_refusal(const metrics::Scorer& rules, const std::vector<Json>& items,
                       const std::vector<metrics::ScoredItem>& scored) {
  try {
    return rules.totals(items, scored);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::input) throw;
    return {{"error", error.what()}};
  }
}

}  // namespace

// Each item is scored alone, then the totals over all, as the published evaluators do.
RuleScores score_by_rules(const std::string& scorer, const std::vector<Json>& items) {
  const metrics::Scorer& rules = metrics::scorer_named(scorer);
  std::vector<metrics::ScoredItem> scored;
  for (const Json& item : items) scored.push_back(scored_or_refused(rules, item));
  RuleScores scores{
      .by = rules.name(), .items = {}, .totals = totals_or_refusal(rules, items, scored)};
  for (metrics::ScoredItem& one : scored) {
    scores.items.push_back({Json::parse(one.fields), one.score, one.standard, std::move(one.quirks),
                            std::move(one.error)});
  }
  return scores;
}

}  // namespace fineprint::bench

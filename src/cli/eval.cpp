// `fineprint eval`: scores of answers and rankings.
#include <cmath>

#include "fineprint/bench/evaluate.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "cli/commands.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Names and values in the order that they are shown.
std::vector<std::pair<const char*, double>> measures(const bench::Evaluation& e) {
  std::vector<std::pair<const char*, double>> rows;
  if (e.with_evidence > 0) {
    rows = {{"nDCG@5", e.ndcg_5}, {"nDCG@10", e.ndcg_10}, {"R@1", e.recall_1}, {"R@3", e.recall_3},
            {"R@5", e.recall_5},  {"R@10", e.recall_10},  {"MRR", e.mrr}};
  }
  rows.insert(rows.end(), {{"first_citation", e.first_citation},
                           {"declined_answerable", e.declined_answerable},
                           {"declined_unanswerable", e.declined_unanswerable},
                           {"exact", e.exact},
                           {"relaxed", e.relaxed}});
  if (!std::isnan(e.confidence_auc)) rows.emplace_back("confidence_auc", e.confidence_auc);
  return rows;
}

std::vector<std::pair<const char*, std::int64_t>> counts(const bench::Evaluation& e) {
  return {{"questions", e.questions},   {"missing", e.missing},
          {"errors", e.errors},         {"with_evidence", e.with_evidence},
          {"answerable", e.answerable}, {"unanswerable", e.unanswerable}};
}

void print_item(const bench::ItemScore& item) {
  print_line(dump_json({{"id", item.id},
                        {"nDCG@5", item.ndcg_5},
                        {"R@10", item.recall_10},
                        {"RR", item.reciprocal_rank},
                        {"first_citation", item.first_citation},
                        {"exact", item.exact},
                        {"relaxed", item.relaxed}}));
}

}  // namespace

int run_eval(const Settings& settings) {
  const std::string& gold = settings.text("gold");
  if (gold.empty()) {
    throw Error(ErrorCode::usage, "--gold FILE is missing: questions with the right pages");
  }
  std::vector<bench::ItemScore> items;
  const bench::Evaluation evaluation = bench::evaluate(
      read_questions(gold), bench::read_answers(argument(settings, 0, "FILE")), &items);
  if (settings.flag("per-item")) {
    for (const bench::ItemScore& item : items) print_item(item);
  }
  if (settings.flag("json")) {
    Json record = Json::object();
    for (const auto& [name, value] : counts(evaluation)) record[name] = value;
    for (const auto& [name, value] : measures(evaluation)) record[name] = value;
    print_line(dump_json(record));
    return 0;
  }
  for (const auto& [name, value] : counts(evaluation))
    print_line(format("{:<22} {:>7}", name, value));
  for (const auto& [name, value] : measures(evaluation)) {
    print_line(format("{:<22} {:>7.2f}", name, value));
  }
  return 0;
}

}  // namespace fineprint::cli

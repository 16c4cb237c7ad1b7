// `fineprint eval`: scores answers and rankings.
#include <cmath>

#include "fineprint/bench/evaluate.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/runs/answer_file.h"
#include "fineprint/runs/trec.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/score_items.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// Returns names and values in the order of the output. If only pages are known, there are no
// measures of answers.
std::vector<bench::Measure> measures(const bench::Evaluation& e, bool pages_only) {
  std::vector<bench::Measure> rows = e.ranking;
  if (pages_only) return rows;
  rows.insert(rows.end(),
              {{"first_citation", e.first_citation},
               {"declined_answerable", e.declined_answerable},
               {"declined_unanswerable", e.declined_unanswerable},
               {"exact", e.exact},
               {"relaxed", e.relaxed},
               {"answerability_auc", e.answerability_auc},
               {"confidence_auc", e.confidence_auc},
               {"answerability_ece", metrics::expected_calibration_error(e.answerability)},
               {"confidence_ece", metrics::expected_calibration_error(e.confidence)}});
  return rows;
}

// Returns the counts that precede the measures.
std::vector<std::pair<const char*, std::int64_t>> counts(const bench::Evaluation& e,
                                                         bool pages_only) {
  if (pages_only) {
    return {{"questions", e.questions}, {"missing", e.missing}, {"with_evidence", e.with_evidence}};
  }
  return {{"questions", e.questions},   {"missing", e.missing},
          {"errors", e.errors},         {"with_evidence", e.with_evidence},
          {"answerable", e.answerable}, {"unanswerable", e.unanswerable}};
}

// Returns a dash if there was nothing to measure.
std::string value_text(double value) { return std::isnan(value) ? "-" : format("{:.2f}", value); }

// One JSON object for each question, in the order of the gold file.
void print_item(const bench::ItemScore& item, bool pages_only) {
  Json record = Json::object();
  record["id"] = item.id;
  for (const bench::Measure& measure : item.ranking) record[measure.name] = measure.value;
  if (!pages_only) {
    record["first_citation"] = item.first_citation;
    record["exact"] = item.exact;
    record["relaxed"] = item.relaxed;
  }
  print_line(dump_json(record));
}

// Prints how often answers of a given probability were right. Bins without questions are left out.
Json reliability_table(const char* name, const std::vector<metrics::ReliabilityBin>& bins,
                       bool json) {
  Json rows = Json::array();
  for (const metrics::ReliabilityBin& bin : bins) {
    if (bin.count == 0) continue;
    if (rows.empty() && !json) {
      print_line(format("\n{:<22} {:>9} {:>6} {:>6}", name, "questions", "said", "came"));
    }
    rows.push_back({{"from", bin.from},
                    {"to", bin.to},
                    {"count", bin.count},
                    {"said", bin.said},
                    {"came", bin.came}});
    if (json) continue;
    print_line(format("{:>8.1f} to {:.1f}        {:>9} {:>6.2f} {:>6.2f}", bin.from, bin.to,
                      bin.count, bin.said, bin.came));
  }
  return rows;
}

// With `json`, one object; else a table with the same names.
void print_evaluation(const bench::Evaluation& evaluation, bool pages_only, bool json) {
  Json record = Json::object();
  for (const auto& [name, value] : counts(evaluation, pages_only)) {
    record[name] = value;
    if (!json) print_line(format("{:<22} {:>7}", name, value));
  }
  for (const auto& [name, value] : measures(evaluation, pages_only)) {
    record[name] = std::isnan(value) ? Json() : Json(value);
    if (!json) print_line(format("{:<22} {:>7}", name, value_text(value)));
  }
  if (!pages_only) {
    record["reliability"] = {
        {"answerability", reliability_table("answerability", evaluation.answerability, json)},
        {"confidence", reliability_table("confidence", evaluation.confidence, json)}};
  }
  if (json) print_line(dump_json(record));
}

}  // namespace

int run_eval(const Settings& settings) {
  const std::string& gold = settings.text("gold");
  if (const bool by_scorer = !settings.text("scored-by").empty(); by_scorer && !gold.empty()) {
    throw Error(ErrorCode::usage,
                "--gold and --scorer cannot be combined: --gold scores answers of this program, "
                "--scorer scores items that carry their own reference");
  } else if (by_scorer) {
    return score_items(settings);
  }
  if (gold.empty()) {
    throw Error(ErrorCode::usage,
                "--gold FILE is missing: questions with gold pages, or TREC qrels; for items that "
                "carry their own reference, give --scorer NAME");
  }
  const bool qrels = settings.flag("qrels");
  allow_arguments(settings, qrels ? 0 : 1);
  const std::string file = qrels ? "" : argument(settings, 0, "FILE");
  const bench::Gold questions = bench::read_gold(gold);
  if (qrels) {
    for (const Question& question : questions.questions) {
      print_piece(runs::to_trec_qrels(question));
    }
    return 0;
  }
  const runs::AnswerFile given = runs::read_answers(file);
  // Measures of answers would be all zero if one side has pages only, so they are left out.
  const bool pages_only = given.pages_only || questions.pages_only;
  std::vector<bench::ItemScore> items;
  const bench::Evaluation evaluation = bench::evaluate(questions, given.answers, &items);
  if (settings.flag("per-item")) {
    for (const bench::ItemScore& item : items) print_item(item, pages_only);
  }
  print_evaluation(evaluation, pages_only, settings.flag("json"));
  return 0;
}

}  // namespace fineprint::cli

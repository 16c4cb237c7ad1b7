// Prints the scores of items, or a table of their totals.
#include "cli/score_items.h"

#include "fineprint/bench/item_scores.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// A judge asks the session's generator, so the model of --judge takes its place.
settings::Settings with_judge_as_generator(const settings::Settings& settings) {
  settings::Settings judged = settings;
  judged.lay_over({{"generator", {settings.text("judge")}}}, settings.origin("judge"));
  return judged;
}

bench::ItemJudgeOptions judge_options(const settings::Settings& settings) {
  bench::ItemJudgeOptions options;
  options.prompts = settings.text("prompts");
  if (settings.text("judge").empty()) return options;
  options.session = [&settings](const std::string& store) {
    return answering_options(with_judge_as_generator(settings), store);
  };
  return options;
}

// A dash marks a total that does not exist, for example without gold answers.
std::string total_text(const Json& value) {
  if (value.is_null()) return "-";
  return value.is_number_float() ? format("{:.4f}", value.get<double>()) : value.dump();
}

// Prints a table. The members of an object follow its name, indented.
void print_table(const Json& totals, const std::string& indent) {
  for (const auto& [name, value] : totals.items()) {
    if (!value.is_object()) {
      print_line(format("{:<34} {:>12}", indent + name, total_text(value)));
      continue;
    }
    if (value.empty()) continue;
    print_line(indent + name);
    print_table(value, indent + "  ");
  }
}

}  // namespace

// With --per-item there are no totals: each line of output belongs to one line of the file.
int score_items(const settings::Settings& settings) {
  const metrics::Scorer& scorer = metrics::scorer_named(settings.text("scored-by"));
  allow_arguments(settings, 1);
  const std::string path = argument(settings, 0, "FILE of items to score");
  bench::ItemJudge judge(judge_options(settings), scorer.name());
  if (settings.flag("per-item")) {
    return bench::score_items(path, scorer, &judge, print_line).malformed > 0 ? 1 : 0;
  }
  const bench::ItemScores file = bench::score_items(path, scorer, &judge);
  Json totals = {{"scorer", scorer.name()}};
  totals.update(scorer.totals(file.items, file.scores));
  totals["malformed"] = file.malformed;
  if (settings.flag("json")) {
    print_line(dump_json(totals));
  } else {
    print_table(totals, "");
  }
  return file.malformed > 0 ? 1 : 0;
}

}  // namespace fineprint::cli

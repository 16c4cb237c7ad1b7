// Reads items line by line, lets a scorer score them, and prints the scores and totals.
#include "cli/score_items.h"

#include <sstream>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/metrics/scorer.h"

#include "cli/item_judge.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

struct ScoredFile {
  std::vector<Json> items;
  std::vector<metrics::ScoredItem> scores;
  std::int64_t malformed = 0;
};

// Returns the evaluator's own fields, then the remarks about them.
Json score_line(const metrics::ScoredItem& scored) {
  Json line = parse_json(scored.fields, "a score");
  if (scored.standard) line["standard"] = *scored.standard;
  if (!scored.quirks.empty()) line["quirks"] = scored.quirks;
  if (!scored.error.empty()) line["error"] = scored.error;
  return line;
}

// With `per_item`, a line that is not an item gets its own output line, so that line N of the
// output belongs to line N of the file.
ScoredFile score_file(const std::string& path, const metrics::Scorer& scorer, ItemJudge* judge,
                      bool per_item) {
  ScoredFile file;
  std::istringstream lines(read_file(path));
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    const std::string where = format("{}:{}", path, number);
    try {
      Json item = parse_json(line, "the line");
      const bool was_asked = judge->complete(&item);
      metrics::ScoredItem scored = scorer.score(item);
      if (per_item) {
        Json record = score_line(scored);
        if (was_asked) record[judge->field()] = item.at(judge->field());
        print_line(dump_json(record));
      }
      file.items.push_back(std::move(item));
      file.scores.push_back(std::move(scored));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::input && error.code() != ErrorCode::no_reply) throw;
      ++file.malformed;
      log::error("{}: {}", where, std::string_view(error.what()));
      if (per_item) print_line(dump_json({{"line", number}, {"error", error.what()}}));
    }
  }
  return file;
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
  const bool per_item = settings.flag("per-item");
  ItemJudge judge(settings, scorer.name());
  const ScoredFile file = score_file(path, scorer, &judge, per_item);
  if (!per_item) {
    Json totals = {{"scorer", scorer.name()}};
    totals.update(scorer.totals(file.items, file.scores));
    totals["malformed"] = file.malformed;
    if (settings.flag("json")) {
      print_line(dump_json(totals));
    } else {
      print_table(totals, "");
    }
  }
  return file.malformed > 0 ? 1 : 0;
}

}  // namespace fineprint::cli

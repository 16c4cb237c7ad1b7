// Reads items line by line, and lets a scorer score them.
#include "fineprint/bench/item_scores.h"

#include <sstream>
#include <string_view>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"

namespace fineprint::bench {
namespace {

// Returns the evaluator's own fields, then the remarks about them.
Json score_line(const metrics::ScoredItem& scored) {
  Json line = parse_json(scored.fields, "a score");
  if (scored.standard) line["standard"] = *scored.standard;
  if (!scored.quirks.empty()) line["quirks"] = scored.quirks;
  if (!scored.error.empty()) line["error"] = scored.error;
  return line;
}

}  // namespace

// A line that is not an item costs only its score, unless the error would also stop the next line.
ItemScores score_items(const std::string& path, const metrics::Scorer& scorer, ItemJudge* judge,
                       const std::function<void(const std::string& line)>& print) {
  ItemScores file;
  std::istringstream lines(read_file(path));
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty()) continue;
    const std::string where = format("{}:{}", path, number);
    try {
      Json item = parse_json(line, "the line");
      const bool was_asked = judge->complete(&item);
      metrics::ScoredItem scored = scorer.score(item);
      if (print) {
        Json record = score_line(scored);
        if (was_asked) record[judge->field()] = item.at(judge->field());
        print(dump_json(record));
      }
      file.items.push_back(std::move(item));
      file.scores.push_back(std::move(scored));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::input && error.code() != ErrorCode::no_reply) throw;
      ++file.malformed;
      log::error("{}: {}", where, std::string_view(error.what()));
      if (print) print(dump_json({{"line", number}, {"error", error.what()}}));
    }
  }
  return file;
}

}  // namespace fineprint::bench

// Compares two pipelines on the same questions: the paired difference, and the questions that
// changed.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fineprint/bench/results.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/metrics/bootstrap.h"

namespace fineprint::bench {
namespace {

struct IdScore {
  std::string id;
  double score = 0;
  Json splits = Json::object();
};

// One group of a split: "rounds" and "2".
struct WantedGroup {
  std::string split, value;
};

WantedGroup wanted_group(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos) return {text, "true"};
  return {text.substr(0, sign), text.substr(sign + 1)};
}

// Returns the ids of the questions that are in the group in either run, because a pipeline without
// the mechanism has no such split.
std::set<std::string> ids_in_group(const WantedGroup& group, const std::vector<IdScore>& of_a,
                                   const std::vector<IdScore>& of_b) {
  std::set<std::string> ids, known;
  for (const std::vector<IdScore>* scores : {&of_a, &of_b}) {
    for (const IdScore& score : *scores) {
      for (const auto& [name, value] : score.splits.items()) known.insert(name);
      const auto found = score.splits.find(group.split);
      if (found != score.splits.end() && dump_json(*found) == group.value) ids.insert(score.id);
    }
  }
  if (known.contains(group.split)) return ids;
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorCode::usage,
              format("--split {}: no question in the two folders has this split; they have: {}",
                     group.split, names.empty() ? "none" : names));
}

// Scores are read from scores.jsonl, so that folders of older runs can be compared.
std::vector<IdScore> read_id_scores(const std::string& folder) {
  const std::string file = folder + "/scores.jsonl";
  std::istringstream lines(read_file(file));
  std::vector<IdScore> scores;
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    // The last line of a run that was killed may be empty.
    if (line.empty()) continue;
    const Json record = parse_json(line, format("{}:{}", file, number));
    if (!record.is_object() || !record.contains("id") || !record["id"].is_string() ||
        !record.contains("score") || !record["score"].is_number()) {
      throw Error(ErrorCode::input,
                  format("{}:{}: expected an object with \"id\" and \"score\"", file, number));
    }
    scores.push_back({record["id"].get<std::string>(), record["score"].get<double>(),
                      record.value("splits", Json::object())});
  }
  return scores;
}

struct Pair {
  std::string id;
  double a = 0, b = 0;
};

// Returns the pairs whose difference B - A has the sign.
Json pairs_json(const std::vector<Pair>& pairs, int sign) {
  Json list = Json::array();
  for (const Pair& pair : pairs) {
    if ((pair.b - pair.a) * sign > 0) {
      list.push_back({{"id", pair.id}, {"a", pair.a}, {"b", pair.b}});
    }
  }
  return list;
}

std::string pairs_text(const char* heading, const Json& pairs) {
  std::string text = format("\n{}: {}\n", heading, pairs.size());
  for (const Json& pair : pairs) {
    text += format("  {}  {:.2f} -> {:.2f}\n", pair.at("id").get<std::string>(),
                   pair.at("a").get<double>(), pair.at("b").get<double>());
  }
  return text;
}

}  // namespace

Comparison compare_pipelines(const std::string& a, const std::string& b, const std::string& split) {
  std::vector<IdScore> of_a = read_id_scores(a), of_b = read_id_scores(b);
  if (!split.empty()) {
    const std::set<std::string> ids = ids_in_group(wanted_group(split), of_a, of_b);
    for (std::vector<IdScore>* scores : {&of_a, &of_b}) {
      std::erase_if(*scores, [&](const IdScore& score) { return !ids.contains(score.id); });
    }
  }
  std::map<std::string, double> by_id;
  for (const IdScore& score : of_b) by_id[score.id] = score.score;
  std::vector<Pair> pairs;
  std::vector<double> differences;
  for (const IdScore& score : of_a) {
    const auto other = by_id.find(score.id);
    // Only questions that both pipelines answered can be paired; the others are counted below.
    if (other == by_id.end()) continue;
    pairs.push_back({score.id, score.score, other->second});
    differences.push_back(other->second - score.score);
  }
  if (pairs.empty()) {
    throw Error(ErrorCode::input, format("{} and {} have no question in common{}", a, b,
                                         split.empty() ? "" : format(" in the group {}", split)));
  }
  // The interval is of the paired differences, which vary less than the two scores do.
  const metrics::Interval difference = metrics::bootstrap_mean(differences);
  const auto only_a = static_cast<std::int64_t>(of_a.size() - pairs.size());
  const auto only_b = static_cast<std::int64_t>(of_b.size() - pairs.size());
  const Json better = pairs_json(pairs, 1), worse = pairs_json(pairs, -1);
  const Json record = {
      {"a", a},
      {"b", b},
      {"split", split},
      {"questions", pairs.size()},
      {"only_a", only_a},
      {"only_b", only_b},
      {"difference",
       {{"mean", difference.mean}, {"low", difference.low}, {"high", difference.high}}},
      {"better", better},
      {"worse", worse}};
  std::string text = format("{} questions{}; B - A: {:+.1f} points (95%: {:+.1f} to {:+.1f})\n",
                            pairs.size(), split.empty() ? "" : format(" ({})", split),
                            100 * difference.mean, 100 * difference.low, 100 * difference.high);
  if (only_a + only_b > 0) {
    text += format("left out: {} questions that only A has, {} that only B has\n", only_a, only_b);
  }
  text += pairs_text("better in B", better) + pairs_text("worse in B", worse);
  return {dump_json(record), text};
}

}  // namespace fineprint::bench

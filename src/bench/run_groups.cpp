// Counts groups of questions.
#include "bench/run_groups.h"

#include <map>
#include <string>

namespace fineprint::bench {
namespace {

struct GroupCounts {
  std::int64_t questions = 0, correct = 0, wrong = 0;
  double score = 0;
};

void add_to_group(const ScoredQuestion& question, GroupCounts* group) {
  ++group->questions;
  group->score += question.score;
  if (!question.correct) return;
  ++(*question.correct ? group->correct : group->wrong);
}

Json group_json(const GroupCounts& group, std::int64_t of) {
  const auto count = static_cast<double>(group.questions);
  return {{"questions", group.questions},
          {"share", count / static_cast<double>(of)},
          {"correct", group.correct},
          {"wrong", group.wrong},
          {"score", group.score / count}};
}

}  // namespace

Json splits_json(const ScoredRun& run) {
  std::map<std::string, std::map<Json, GroupCounts>> groups;
  std::map<std::string, std::int64_t> questions;
  for (const ScoredQuestion& question : run.questions) {
    for (const auto& [split, value] : question.trace.splits) {
      add_to_group(question, &groups[split][value]);
      ++questions[split];
    }
  }
  Json splits = Json::object();
  for (const auto& [split, values] : groups) {
    for (const auto& [value, group] : values) {
      splits[split][dump_json(value)] = group_json(group, questions[split]);
    }
  }
  return splits;
}

Json cross_table_json(const ScoredRun& run) {
  Json table = Json::object();
  for (const ScoredQuestion& question : run.questions) {
    for (const Measure& measure : question.ranking) {
      if (!measure.name.starts_with("Hit@")) continue;
      Json& counts = table[measure.name];
      if (counts.is_null()) {
        counts = {{"both", 0}, {"retrieval_only", 0}, {"answer_only", 0}, {"neither", 0}};
      }
      const bool is_found = measure.value > 0, is_right = question.correct.value_or(false);
      const char* cell = is_found ? (is_right ? "both" : "retrieval_only")
                                  : (is_right ? "answer_only" : "neither");
      counts[cell] = counts[cell].get<std::int64_t>() + 1;
    }
  }
  return table;
}

Json judged_pages_json(const BenchmarkData& data, const ScoredRun& run) {
  double count = 0, judged = 0, pool = 0, share = 0;
  for (std::size_t i = 0; i < run.questions.size(); ++i) {
    const std::int64_t pages = data.questions[i].pool_pages;
    const auto& known = run.questions[i].trace.judged_pages;
    if (!known || pages == 0) continue;
    ++count;
    judged += static_cast<double>(*known);
    pool += static_cast<double>(pages);
    share += static_cast<double>(*known) / static_cast<double>(pages);
  }
  if (count == 0) return nullptr;
  return {{"questions", static_cast<std::int64_t>(count)},
          {"judged", judged / count},
          {"pool", pool / count},
          {"share", share / count}};
}

}  // namespace fineprint::bench

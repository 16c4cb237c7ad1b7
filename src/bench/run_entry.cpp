// Sums up the scores, slices, rankings and costs of one pipeline.
#include "bench/run_entry.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "fineprint/metrics/bootstrap.h"

#include "bench/run_groups.h"

namespace fineprint::bench {
namespace {

Json interval_json(const metrics::Interval& interval) {
  return {{"mean", interval.mean}, {"low", interval.low}, {"high", interval.high}};
}

// A measure that applies to no question becomes null.
Json share_json(double percent) { return std::isnan(percent) ? Json() : Json(percent / 100); }

// Returns means with their intervals over the questions with gold pages.
Json ranking_json(const ScoredRun& run) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  for (const ScoredQuestion& question : run.questions) {
    for (std::size_t i = 0; i < question.ranking.size(); ++i) {
      if (i == names.size()) {
        names.push_back(question.ranking[i].name);
        columns.emplace_back();
      }
      columns[i].push_back(question.ranking[i].value);
    }
  }
  const std::vector<metrics::Interval> intervals = metrics::bootstrap_means(columns);
  Json ranking = {{"questions", run.evaluation.with_evidence}};
  for (std::size_t i = 0; i < names.size(); ++i) ranking[names[i]] = interval_json(intervals[i]);
  return ranking;
}

// The fields by which benchmarks group their questions, if a question has them.
constexpr const char* kSliceFields[] = {"doc_type",   "evidence_sources", "question_type",
                                        "query_type", "source_type",      "task_tag",
                                        "task_type",  "query_types",      "question_reasoning"};

// A field may have one value or a list; other types are ignored.
std::vector<std::string> slice_values(const Json& value) {
  std::vector<std::string> values;
  if (value.is_string()) values.push_back(value.get<std::string>());
  if (!value.is_array()) return values;
  for (const Json& one : value) {
    if (one.is_string()) values.push_back(one.get<std::string>());
  }
  return values;
}

// Returns {"doc_type": {"Brochure": {"questions", "score"}}}. A question with several values counts
// in each.
Json slices_json(const BenchmarkData& data, const ScoredRun& run) {
  std::map<std::string, std::map<std::string, std::pair<std::int64_t, double>>> sums;
  for (std::size_t i = 0; i < run.questions.size(); ++i) {
    const Json extra = Json::parse(data.questions[i].question.extra_json);
    for (const char* field : kSliceFields) {
      if (!extra.contains(field)) continue;
      for (const std::string& value : slice_values(extra.at(field))) {
        auto& [count, sum] = sums[field][value];
        ++count;
        sum += run.questions[i].score;
      }
    }
  }
  Json slices = Json::object();
  for (const auto& [field, values] : sums) {
    for (const auto& [value, sum] : values) {
      slices[field][value] = {{"questions", sum.first},
                              {"score", sum.second / static_cast<double>(sum.first)}};
    }
  }
  return slices;
}

// Returns the mean seconds over the questions that have them; null if none has.
Json mean_seconds(const ScoredRun& run, std::optional<double> TraceFacts::* ms) {
  double sum = 0, count = 0;
  for (const ScoredQuestion& question : run.questions) {
    const std::optional<double>& known = question.trace.*ms;
    if (!known) continue;
    sum += *known;
    ++count;
  }
  return count > 0 ? Json(sum / count / 1000) : Json();
}

// Returns the mean cost of a question, over the answered ones. The two parts of the time are means
// over the questions with a trace.
Json cost_json(const std::vector<Answer>& answers, const ScoredRun& run) {
  Usage sum;
  double count = 0;
  for (const Answer& answer : answers) {
    if (answer.id.empty() || answer.error) continue;
    ++count;
    sum.vlm_calls += answer.usage.vlm_calls;
    sum.prompt_tokens += answer.usage.prompt_tokens;
    sum.image_tokens += answer.usage.image_tokens;
    sum.output_tokens += answer.usage.output_tokens;
    sum.malformed += answer.usage.malformed;
    sum.ms += answer.usage.ms;
  }
  const auto mean = [&](auto total) {
    return count > 0 ? static_cast<double>(total) / count : 0.0;
  };
  return {{"calls", mean(sum.vlm_calls)},
          {"prompt_tokens", mean(sum.prompt_tokens)},
          {"image_tokens", mean(sum.image_tokens)},
          {"output_tokens", mean(sum.output_tokens)},
          {"malformed_replies", mean(sum.malformed)},
          {"seconds", mean(sum.ms) / 1000},
          {"seconds_retrieval", mean_seconds(run, &TraceFacts::retrieval_ms)},
          {"seconds_answering", mean_seconds(run, &TraceFacts::answering_ms)}};
}

// Returns the length of the longest ranking. Measures at more pages say nothing about the pipeline.
std::size_t ranked_pages_of(const std::vector<Answer>& answers) {
  std::size_t most = 0;
  for (const Answer& answer : answers) most = std::max(most, answer.retrieved.size());
  return most;
}

// All answers of a run have the same generator, so the first one that names it is enough.
std::string generator_of(const std::vector<Answer>& answers) {
  for (const Answer& answer : answers) {
    if (!answer.generator.empty()) return answer.generator;
  }
  return {};
}

}  // namespace

Json entry_json(const std::string& pipeline, const BenchmarkData& data,
                const std::vector<Answer>& answers, const ScoredRun& run) {
  std::vector<double> scores;
  for (const ScoredQuestion& question : run.questions) scores.push_back(question.score);
  const Evaluation& evaluation = run.evaluation;
  return {{"pipeline", pipeline},
          {"generator", generator_of(answers)},
          {"scored_by", run.scored_by},
          {"measure", run.measure},
          {"judge", run.judge},
          {"judge_kind", run.judge.empty() ? "" : judge_kind_name(data.judge)},
          {"questions", evaluation.questions},
          {"failed", evaluation.errors},
          {"missing", evaluation.missing},
          {"score", interval_json(metrics::bootstrap_mean(scores))},
          {"totals", run.totals},
          {"slices", slices_json(data, run)},
          {"splits", splits_json(run)},
          {"cross_table", cross_table_json(run)},
          {"judged_pages", judged_pages_json(data, run)},
          {"ranking", ranking_json(run)},
          {"ranked_pages", ranked_pages_of(answers)},
          {"published_ranking", run.ranking_totals},
          {"first_citation", share_json(evaluation.first_citation)},
          {"declined_answerable", share_json(evaluation.declined_answerable)},
          {"declined_unanswerable", share_json(evaluation.declined_unanswerable)},
          {"a_question", cost_json(answers, run)}};
}

}  // namespace fineprint::bench

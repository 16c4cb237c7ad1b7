// Joins answers with their questions, and scores each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/evaluate.h"

#include "bench/datasets/dataset.h"
#include "bench/rules.h"
#include "bench/trace_facts.h"

namespace fineprint::bench {

// Returns the answer of every question, in their order. If there is none, its id is empty.
std::vector<Answer> answers_in_order(const BenchmarkData& data, const std::vector<Answer>& answers);

// `answers` must be in the order of the questions, and must outlive the result. If a judge
// extracted short answers, these are compared.
std::vector<GivenAnswer> given_answers(const BenchmarkData& data,
                                       const std::vector<Answer>& answers,
                                       const JudgeReplies& judged);

struct ScoredQuestion {
  std::string id;
  double score = 0;
  std::optional<bool> correct;  // absent: partly right, or the measure is one of rankings
  RuleScore rule;
  std::string judge_reply;
  std::vector<Measure> ranking;  // 0..1; empty without gold pages
  TraceFacts trace = {};
};

struct ScoredRun {
  std::string scored_by;
  std::string measure;
  std::string judge;  // the generator that judged; empty: none
  std::vector<ScoredQuestion> questions;
  Json totals = Json::object();          // of answers, as the evaluator computes them
  Json ranking_totals = Json::object();  // of rankings, if the benchmark has its own rules
  Evaluation evaluation;
};

ScoredRun score_answers(const Dataset& dataset, const BenchmarkData& data,
                        const std::vector<Answer>& answers, const JudgeReplies& judged);

// Returns the lines of scores.jsonl.
std::string scores_text(const ScoredRun& run);

}  // namespace fineprint::bench
